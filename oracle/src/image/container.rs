//! One container of ours: started within a bound, removed when dropped.
//!
//! Must never leave a container behind: not after a panic, not after a start that failed, was late or was interrupted.

use std::{
    collections::HashMap,
    sync::{OnceLock, mpsc},
    time::Duration,
};

use testcontainers::{
    ContainerAsync, ContainerRequest, GenericImage, ImageExt, TestcontainersError,
    bollard::{
        models::{HostConfig, PortBinding},
        query_parameters::RemoveContainerOptions,
    },
    core::client::docker_client_instance,
    runners::AsyncRunner,
};
use tokio::runtime::Runtime;

use crate::Interrupt;

/// How long an image may take to be pulled, beyond the time for the start.
const PULL: Duration = Duration::from_secs(300);
/// How long an engine may take to remove a container before the run ends without waiting for it.
const REMOVAL: Duration = Duration::from_secs(30);
/// Containers carry this label, so that a person can find one that a `kill -9` left.
const LABEL: (&str, &str) = ("io.wildcheck", "oracle");

/// Why there is no container.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The engine's words.
    #[error(transparent)]
    Engine(#[from] TestcontainersError),
    /// Neither started nor refused.
    #[error("the image was not pulled and started within {0:?}")]
    Late(Duration),
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

/// A running container. Dropping it removes it.
pub struct Contained(Option<ContainerAsync<GenericImage>>);

/// The engine's client keeps connections that live on the runtime that opened them, and all containers share it: one
/// runtime for all, for as long as the process lives.
pub fn runtime() -> Result<&'static Runtime, TestcontainersError> {
    static RUNTIME: OnceLock<std::io::Result<Runtime>> = OnceLock::new();
    let build = || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    RUNTIME.get_or_init(build).as_ref().map_err(|error| TestcontainersError::other(error.to_string()))
}

impl Contained {
    /// Starts what is asked for, and waits until it is ready.
    ///
    /// # Errors
    /// [`Failure`]; nothing is left of the container then.
    pub fn start(
        request: ContainerRequest<GenericImage>,
        timeout: Duration,
        interrupt: &Interrupt,
    ) -> Result<Contained, Failure> {
        // A name that is known before the engine answers, for the removal of what is only half there.
        let name = format!("wildcheck-{}-{:08x}", std::process::id(), crate::broker::random());
        let request = request.with_container_name(&name).with_label(LABEL.0, LABEL.1).with_startup_timeout(timeout);
        let bound = PULL + timeout;
        runtime()?.block_on(async {
            let started = tokio::select! {
                started = request.start() => started.map_err(Failure::Engine),
                () = set(interrupt) => Err(Failure::Interrupted),
                () = tokio::time::sleep(bound) => Err(Failure::Late(bound)),
            };
            if let Err(failure) = &started {
                // A request that was given up may still be on its way to the engine.
                remove(&name, if matches!(failure, Failure::Engine(_)) { 1 } else { 10 }).await;
            }
            started.map(|container| Contained(Some(container)))
        })
    }

    /// The port of the host behind which the container's port is.
    ///
    /// # Errors
    /// The engine mapped none.
    pub fn port(&self, inside: u16) -> Result<u16, TestcontainersError> {
        let container = self.0.as_ref().ok_or_else(|| TestcontainersError::other("the container is gone"))?;
        runtime()?.block_on(container.get_host_port_ipv4(inside))
    }
}

impl Drop for Contained {
    fn drop(&mut self) {
        let (Some(container), Ok(runtime)) = (self.0.take(), runtime()) else { return };
        // Not `block_on`: whoever drops this may be unwinding out of another runtime.
        let (done, wait) = mpsc::channel();
        runtime.spawn(async move {
            let id = container.id().to_owned();
            if let Err(error) = container.rm().await {
                tracing::warn!(%error, id, "the container could not be removed");
            }
            // Nobody waits any more where the removal took too long.
            let _ = done.send(());
        });
        let _ = wait.recv_timeout(REMOVAL);
    }
}

/// Maps the port to a free one of loopback, and no other port anywhere.
pub fn on_loopback(config: &mut HostConfig, inside: u16) {
    let free = PortBinding { host_ip: Some("127.0.0.1".to_owned()), host_port: Some(String::new()) };
    config.publish_all_ports = Some(false);
    config.port_bindings = Some(HashMap::from([(format!("{inside}/tcp"), Some(vec![free]))]));
}

async fn set(interrupt: &Interrupt) {
    while !interrupt.is_set() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn remove(name: &str, tries: u32) {
    for attempt in 0..tries {
        if attempt > 0 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let Ok(client) = docker_client_instance().await else { return };
        let options = RemoveContainerOptions { force: true, v: true, ..RemoveContainerOptions::default() };
        if client.remove_container(name, Some(options)).await.is_ok() {
            return;
        }
    }
}
