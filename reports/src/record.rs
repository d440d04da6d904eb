//! Reading a record back. Must never fail on a torn last line: a killed run is told as far as it got.
