//! What must not be left out in silence: the image lane runs where a container engine answers, a referee is asked where
//! a broker can be started, a claim goes through the client libraries of other languages where they can be had.
//! Elsewhere they are told as not run, by name, and `WILDCHECK_REQUIRE=image,referee,clients` makes that a failure.
//!
//! Must never start anything.

use crate::OracleError;

/// The environment variable: names separated by commas or blanks.
pub const VARIABLE: &str = "WILDCHECK_REQUIRE";
/// How reports name the lane.
pub const IMAGE_LANE: &str = "image lane";
/// How reports and [`VARIABLE`] name the referee.
pub const REFEREE: &str = "referee";
/// How [`VARIABLE`] names the client libraries of other languages.
pub const CLIENTS: &str = "clients";

/// Can the image lane be asked here?
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ImageLane {
    /// An engine answers; its version.
    Engine(String),
    /// None answers and none is required; why.
    NotRun(String),
}

/// Asks the container engine.
///
/// # Errors
/// [`OracleError::Unavailable`] where none answers and [`VARIABLE`] requires one.
pub fn image_lane() -> Result<ImageLane, OracleError> {
    decide(engine(), requires("image"))
}

/// Does [`VARIABLE`] hold this name?
pub fn requires(what: &str) -> bool {
    names(&std::env::var(VARIABLE).unwrap_or_default(), what)
}

/// The version of the container engine, or why there is none.
///
/// # Errors
/// A lower-case fragment.
pub fn engine() -> Result<String, String> {
    #[cfg(feature = "containers")]
    return crate::image::engine();
    #[cfg(not(feature = "containers"))]
    Err("this build starts no containers (cargo feature `containers`)".to_owned())
}

fn names(list: &str, what: &str) -> bool {
    list.split([',', ' ']).any(|name| name == what)
}

fn decide(engine: Result<String, String>, required: bool) -> Result<ImageLane, OracleError> {
    match engine {
        Ok(version) => Ok(ImageLane::Engine(version)),
        Err(why) if required => Err(OracleError::Unavailable {
            what: format!("the {IMAGE_LANE}"),
            why,
            how: format!("start a container engine (docker or podman), or take `image` out of {VARIABLE}"),
        }),
        Err(why) => Ok(ImageLane::NotRun(why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_required_lane_without_an_engine_is_unavailable_and_one_that_is_not_required_is_not_run() {
        let none = || Err("no socket".to_owned());
        assert_eq!(decide(none(), false).unwrap(), ImageLane::NotRun("no socket".to_owned()));
        assert!(decide(none(), true).unwrap_err().to_string().contains("take `image` out of WILDCHECK_REQUIRE"));
        for required in [false, true] {
            let answered = decide(Ok("26.1".to_owned()), required).unwrap();
            assert_eq!(answered, ImageLane::Engine("26.1".to_owned()));
        }
    }

    #[test]
    fn what_is_required_is_a_list_of_whole_names() {
        for (list, holds) in [("image", true), ("x,image", true), ("x image", true), ("", false), ("images", false)] {
            assert_eq!(names(list, "image"), holds, "{list}");
        }
    }
}
