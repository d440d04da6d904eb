"""FastStream's in-memory test broker for NATS: the rule of TestNatsBroker."""

from adapter import serve
from faststream.nats.testing import is_subject_match_wildcard

serve(
    "faststream",
    "nats",
    "nats.testing.is_subject_match_wildcard",
    str,
    lambda pattern, subject: is_subject_match_wildcard(subject, pattern),
)
