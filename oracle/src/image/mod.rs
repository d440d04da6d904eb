//! The `image:` address: a NATS server in a container of our own, through testcontainers.
//!
//! Must never listen beyond loopback, and never leave a container behind: whoever holds the lane holds the container.

mod container;

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    time::Duration,
};

use testcontainers::{
    ContainerRequest, GenericImage, ImageExt, TestcontainersError,
    core::{IntoContainerPort, WaitFor, client::docker_client_instance},
};

use self::container::{Contained, Failure, on_loopback, runtime};
use crate::{Options, Oracle, OracleError, again::Again, nats};

/// The port inside the container.
const PORT: u16 = 4222;
/// What the server says when it can be asked.
const READY: &str = "Server is ready";
/// How long an engine may take to tell its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// Starts a container of the image (`nats:2.15`, `localhost/mine`) and opens the lane to the server in it. The port is
/// mapped to a free one of loopback; where the engine has no bridge network the host's own network is used. A container
/// that ends is started again once.
///
/// # Errors
/// [`OracleError::Unavailable`] with how to get it, when no engine answers, the image is neither here nor to be pulled,
/// or the server does not start in time; [`OracleError::Interrupted`].
pub fn open(name: &str, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    let keep = options.keep.clone();
    let (name, options) = (name.to_owned(), options.clone());
    let open = move || start(&name, &options);
    Ok(Box::new(Again::new(Box::new(open), keep)?))
}

fn start(name: &str, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    let address = format!("image:{name}");
    if options.dialect.name() != "nats" {
        let why = format!("this version asks NATS servers in containers only, not {}", options.dialect.name());
        return Err(OracleError::Unsupported { what: address, why });
    }
    let (container, addr) = match mapped(name, options) {
        Err(Failure::Engine(error)) if no_bridge(&error) => on_host(name, options),
        other => other,
    }
    .map_err(|failure| match failure {
        Failure::Interrupted => OracleError::Interrupted,
        other => unavailable(&address, &other),
    })?;
    nats::open_kept(&address, addr, Box::new(container), options)
}

/// The version of the container engine that answers where a lane would ask, or why none does (a fragment).
///
/// # Errors
/// Why not.
pub fn engine() -> Result<String, String> {
    let runtime = runtime().map_err(|error| error.to_string())?;
    let ask = async {
        // testcontainers reads DOCKER_HOST and the context; asking through it is asking where a lane would ask.
        let client = docker_client_instance().await.map_err(|error| chain(&error))?;
        let version = client.version().await.map_err(|error| chain(&error))?;
        Ok(version.version.unwrap_or_else(|| "of an unknown version".to_owned()))
    };
    runtime.block_on(async {
        let late = || Err(format!("it does not answer within {} seconds", PATIENCE.as_secs()));
        tokio::time::timeout(PATIENCE, ask).await.unwrap_or_else(|_| late())
    })
}

type Started = Result<(Contained, SocketAddr), Failure>;

fn image(name: &str) -> GenericImage {
    // A colon after the last slash is the tag's; before it, a registry's port.
    let (name, tag) = match name.rsplit_once(':') {
        Some((image, tag)) if !tag.contains('/') => (image, tag),
        _ => (name, "latest"),
    };
    GenericImage::new(name, tag)
}

fn mapped(name: &str, options: &Options) -> Started {
    let request = image(name)
        .with_exposed_port(PORT.tcp())
        .with_wait_for(WaitFor::message_on_stderr(READY))
        .with_host_config_modifier(|config| on_loopback(config, PORT));
    let container = Contained::start(request, options.start_timeout, &options.interrupt)?;
    let port = container.port(PORT)?;
    Ok((container, SocketAddr::from((Ipv4Addr::LOCALHOST, port))))
}

fn on_host(name: &str, options: &Options) -> Started {
    let port = free_port().map_err(TestcontainersError::other)?;
    let request: ContainerRequest<GenericImage> = image(name)
        .with_wait_for(WaitFor::message_on_stderr(READY))
        .with_network("host")
        .with_cmd(["-a", "127.0.0.1", "-p", &port.to_string()]);
    let container = Contained::start(request, options.start_timeout, &options.interrupt)?;
    Ok((container, SocketAddr::from((Ipv4Addr::LOCALHOST, port))))
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// The engine's words where it cannot build a bridged network: no such driver, no rights to the host's tables.
fn no_bridge(error: &TestcontainersError) -> bool {
    let words = chain(error).to_lowercase();
    ["bridge", "iptables", "failed to create endpoint", "operation not permitted"].iter().any(|w| words.contains(w))
}

fn unavailable(address: &str, failure: &Failure) -> OracleError {
    let how = if engine().is_err() {
        "start a container engine (docker or podman), or ask process:nats-server@VERSION, which needs none"
    } else {
        "pull or build the image first, or ask process:nats-server@VERSION, which needs none"
    };
    OracleError::Unavailable { what: address.to_owned(), why: chain(failure), how: how.to_owned() }
}

/// The error with its causes, each once.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let words = next.to_string();
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = next.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use testcontainers::Image as _;

    #[test]
    fn a_tag_stands_after_the_last_colon_that_is_no_port() {
        for (text, name, tag) in [
            ("nats", "nats", "latest"),
            ("nats:2.15", "nats", "2.15"),
            ("host:5000/nats", "host:5000/nats", "latest"),
            ("host:5000/nats:2", "host:5000/nats", "2"),
        ] {
            let image = image(text);
            assert_eq!((image.name(), image.tag()), (name, tag), "{text}");
        }
    }
}
