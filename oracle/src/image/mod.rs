//! The `image:` address: a NATS server in a container of our own, through testcontainers.
//!
//! Must never leave a container behind: whoever holds the lane holds the container, and dropping it removes it.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use testcontainers::{
    Container, ContainerRequest, GenericImage, ImageExt, TestcontainersError,
    core::{IntoContainerPort, WaitFor},
    runners::SyncRunner,
};

use crate::{Options, Oracle, OracleError, nats};

/// The port inside the container.
const PORT: u16 = 4222;
/// What the server says when it can be asked.
const READY: &str = "Server is ready";
/// Containers carry this label, so that a person can find one that a `kill -9` left.
const LABEL: (&str, &str) = ("io.wildcheck", "oracle");

/// Starts a container of the image (`nats:2.15`, `localhost/mine`) and opens the lane to the server in it. The port is
/// mapped to a free one of the host; where the engine has no bridge network the host's own network is used.
///
/// # Errors
/// [`OracleError::Unavailable`] with how to get it, when no engine answers, the image is neither here nor to be pulled,
/// or the server does not start in time.
pub fn open(name: &str, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    let address = format!("image:{name}");
    if options.dialect.name() != "nats" {
        let why = format!("this version asks NATS servers in containers only, not {}", options.dialect.name());
        return Err(OracleError::Unsupported { what: address, why });
    }
    let (container, addr) = match mapped(name, options) {
        Err(error) if no_bridge(&error) => on_host(name, options),
        other => other,
    }
    .map_err(|error| unavailable(&address, &error))?;
    if options.interrupt.is_set() {
        return Err(OracleError::Interrupted);
    }
    nats::open_kept(&address, addr, Box::new(container), options)
}

/// Does a container engine answer? Its version, or why not.
///
/// # Errors
/// Why not, as a lower-case fragment.
pub fn engine() -> Result<String, String> {
    // testcontainers reads DOCKER_HOST and the context; asking through it is asking where a lane would ask.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
    runtime.block_on(async {
        let client = testcontainers::core::client::docker_client_instance().await.map_err(|e| e.to_string())?;
        let version = client.version().await.map_err(|e| e.to_string())?;
        Ok(version.version.unwrap_or_else(|| "of an unknown version".to_owned()))
    })
}

type Started = Result<(Container<GenericImage>, SocketAddr), TestcontainersError>;

fn image(name: &str) -> GenericImage {
    // A colon after the last slash is the tag's; before it, a registry's port.
    let (name, tag) = match name.rsplit_once(':') {
        Some((image, tag)) if !tag.contains('/') => (image, tag),
        _ => (name, "latest"),
    };
    GenericImage::new(name, tag)
}

fn mapped(name: &str, options: &Options) -> Started {
    let request = image(name).with_exposed_port(PORT.tcp()).with_wait_for(WaitFor::message_on_stderr(READY));
    let container = request.with_label(LABEL.0, LABEL.1).with_startup_timeout(options.start_timeout).start()?;
    let port = container.get_host_port_ipv4(PORT)?;
    Ok((container, SocketAddr::from((Ipv4Addr::LOCALHOST, port))))
}

fn on_host(name: &str, options: &Options) -> Started {
    let port = free_port().map_err(TestcontainersError::other)?;
    let request: ContainerRequest<GenericImage> = image(name)
        .with_wait_for(WaitFor::message_on_stderr(READY))
        .with_network("host")
        .with_cmd(["-a", "127.0.0.1", "-p", &port.to_string()]);
    let container = request.with_label(LABEL.0, LABEL.1).with_startup_timeout(options.start_timeout).start()?;
    Ok((container, SocketAddr::from((Ipv4Addr::LOCALHOST, port))))
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// The engine's words where it cannot build a bridged network: no such driver, no rights to the host's tables.
fn no_bridge(error: &TestcontainersError) -> bool {
    let words = chain(error).to_lowercase();
    ["network bridge", "bridge", "iptables", "failed to create endpoint", "operation not permitted"]
        .iter()
        .any(|word| words.contains(word))
}

fn unavailable(address: &str, error: &TestcontainersError) -> OracleError {
    let why = chain(error);
    let how = if engine().is_err() {
        "start a container engine (docker or podman), or ask process:nats-server@VERSION, which needs none"
    } else {
        "pull or build the image first, or ask process:nats-server@VERSION, which needs none"
    };
    OracleError::Unavailable { what: address.to_owned(), why, how: how.to_owned() }
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
