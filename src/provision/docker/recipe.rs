//! What a container is created with: an adapter's settings and a target's, as the API's own words.
//!
//! It must not call the daemon. Invariant: whatever is made from it carries the run's labels and restarts never.

use std::collections::HashMap;

use bollard::models::{
    ContainerCreateBody, HealthConfig, HostConfig, HostConfigLogConfig, Mount, MountType, PortBinding, RestartPolicy,
    RestartPolicyNameEnum,
};

use crate::adapter::statements::DockerStart;
use crate::provision::types::{DockerSpec, RunLabel};

/// The label with the run's id.
pub(super) const RUN: &str = "velodrome.run";
/// The label with the run's folder.
pub(super) const FOLDER: &str = "velodrome.folder";
/// The label with the target's name.
pub(super) const TARGET: &str = "velodrome.target";

/// Logs are kept to this size twice over: a chatty server must not fill the disk.
const LOG_SIZE: &str = "32m";

/// The labels of everything made for a target.
pub(super) fn labels(label: &RunLabel, target: &str) -> HashMap<String, String> {
    HashMap::from([
        (RUN.to_owned(), label.run.clone()),
        (FOLDER.to_owned(), label.folder.to_string_lossy().into_owned()),
        (TARGET.to_owned(), target.to_owned()),
    ])
}

/// A name for people; `nonce` makes it unique. Nothing is ever found by it.
pub(super) fn name(label: &RunLabel, target: &str, nonce: u64) -> String {
    let clean = |text: &str| -> String {
        let safe = |c: char| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '-' };
        text.chars().map(safe).collect()
    };
    format!("velodrome-{}-{}-{nonce:08x}", clean(&label.run), clean(target))
}

/// The body that creates a container.
///
/// # Errors
/// A volume that is no bind mount of an absolute path.
pub(super) fn body(
    start: &DockerStart,
    spec: &DockerSpec,
    image: &super::image::Image,
    labels: HashMap<String, String>,
    data_volume: Option<&str>,
) -> Result<ContainerCreateBody, String> {
    let port = port_key(start.port);
    let mut environment = start.environment.clone();
    environment.extend(spec.environment.clone());
    let mut mounts = spec.volumes.iter().map(|text| bind(text)).collect::<Result<Vec<_>, _>>()?;
    mounts.extend(data_volume.map(|name| Mount {
        target: Some(start.data.clone()),
        source: Some(name.to_owned()),
        typ: Some(MountType::VOLUME),
        ..Mount::default()
    }));
    Ok(ContainerCreateBody {
        image: Some(image.name.clone()),
        cmd: command(start, spec, image),
        env: Some(environment.iter().map(|(name, value)| format!("{name}={value}")).collect()),
        labels: Some(labels),
        exposed_ports: Some(vec![port.clone()]),
        // An image's own health check takes time from the server that is measured.
        healthcheck: Some(HealthConfig { test: Some(vec!["NONE".to_owned()]), ..HealthConfig::default() }),
        host_config: Some(host_config(start, spec, port, mounts)),
        ..ContainerCreateBody::default()
    })
}

fn host_config(start: &DockerStart, spec: &DockerSpec, port: String, mounts: Vec<Mount>) -> HostConfig {
    let memory = spec.memory.and_then(|bytes| i64::try_from(bytes).ok());
    // No port given: the daemon takes a free one.
    let binding = PortBinding {
        host_ip: Some("127.0.0.1".to_owned()),
        host_port: Some(spec.port.map_or_else(String::new, |port| port.to_string())),
    };
    HostConfig {
        port_bindings: Some(HashMap::from([(port, Some(vec![binding]))])),
        nano_cpus: spec.cpus.map(|cpus| (cpus * 1e9).round() as i64),
        cpuset_cpus: spec.cpuset.clone(),
        memory,
        // As much as memory: none of it is swap.
        memory_swap: memory,
        shm_size: start.shm_bytes.and_then(|bytes| i64::try_from(bytes).ok()),
        mounts: Some(mounts),
        restart_policy: Some(RestartPolicy { name: Some(RestartPolicyNameEnum::NO), ..RestartPolicy::default() }),
        log_config: Some(HostConfigLogConfig {
            typ: Some("json-file".to_owned()),
            config: Some(HashMap::from([
                ("max-size".to_owned(), LOG_SIZE.to_owned()),
                ("max-file".to_owned(), "2".to_owned()),
            ])),
        }),
        ..HostConfig::default()
    }
}

/// The command: the adapter's, else where arguments are added the image's own, else none.
fn command(start: &DockerStart, spec: &DockerSpec, image: &super::image::Image) -> Option<Vec<String>> {
    let mut command = start.command.clone();
    if command.is_empty() && !spec.command.is_empty() {
        command.clone_from(&image.command);
    }
    command.extend(spec.command.iter().cloned());
    Some(command).filter(|command| !command.is_empty())
}

/// The key of a container's port in the API.
pub(super) fn port_key(port: u16) -> String {
    format!("{port}/tcp")
}

/// Whether a bind mount given by the user lies at the data path: then no volume is made for it.
pub(super) fn binds_data(spec: &DockerSpec, data: &str) -> bool {
    let target = |text: &String| text.split(':').nth(1).map(|path| path.trim_end_matches('/').to_owned());
    spec.volumes.iter().filter_map(target).any(|path| path == data.trim_end_matches('/'))
}

/// `host:container[:ro]` as a mount. The host's path must be there: Docker would make it, and nobody would remove it.
fn bind(text: &str) -> Result<Mount, String> {
    let expected = || format!("volume `{text}` is not written as /path/on/host:/path/inside[:ro]");
    let parts: Vec<&str> = text.split(':').collect();
    let (source, target, mode) = match parts.as_slice() {
        [source, target] => (source, target, "rw"),
        [source, target, mode] => (source, target, *mode),
        _ => return Err(expected()),
    };
    if !source.starts_with('/') || !target.starts_with('/') || !["ro", "rw"].contains(&mode) {
        return Err(expected());
    }
    Ok(Mount {
        target: Some((*target).to_owned()),
        source: Some((*source).to_owned()),
        typ: Some(MountType::BIND),
        read_only: Some(mode == "ro"),
        ..Mount::default()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::image::Image;
    use super::*;
    use crate::adapter::types::Login;

    fn start(command: &[&str]) -> DockerStart {
        DockerStart {
            image: "db:1".to_owned(),
            port: 5432,
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            environment: BTreeMap::from([("A".to_owned(), "1".to_owned()), ("B".to_owned(), "2".to_owned())]),
            files: Vec::new(),
            data: "/data".to_owned(),
            shm_bytes: Some(1 << 28),
            stop_seconds: 30,
            login: Login::default(),
        }
    }

    fn image() -> Image {
        Image { name: "db:1".to_owned(), digest: None, command: vec!["dbd".to_owned()] }
    }

    fn made(start: &DockerStart, spec: &DockerSpec) -> ContainerCreateBody {
        let label = RunLabel { run: "r1".to_owned(), folder: "/runs/r1".into() };
        body(start, spec, &image(), labels(&label, "db"), Some("volume-1")).unwrap()
    }

    #[test]
    fn limits_labels_and_a_free_local_port_are_asked_for() {
        let spec = DockerSpec {
            cpus: Some(1.5),
            cpuset: Some("0".to_owned()),
            memory: Some(1 << 30),
            environment: BTreeMap::from([("B".to_owned(), "3".to_owned())]),
            ..DockerSpec::default()
        };
        let body = made(&start(&[]), &spec);
        let host = body.host_config.unwrap();
        assert_eq!((host.nano_cpus, host.cpuset_cpus.as_deref()), (Some(1_500_000_000), Some("0")));
        assert_eq!((host.memory, host.memory_swap, host.shm_size), (Some(1 << 30), Some(1 << 30), Some(1 << 28)));
        let binding = host.port_bindings.unwrap().remove("5432/tcp").unwrap().unwrap().remove(0);
        assert_eq!((binding.host_ip.as_deref(), binding.host_port.as_deref()), (Some("127.0.0.1"), Some("")));
        assert_eq!(body.env.unwrap(), ["A=1", "B=3"]);
        let labels = body.labels.unwrap();
        assert_eq!((labels[RUN].as_str(), labels[FOLDER].as_str(), labels[TARGET].as_str()), ("r1", "/runs/r1", "db"));
        assert_eq!(host.restart_policy.unwrap().name, Some(RestartPolicyNameEnum::NO));
    }

    #[test]
    fn a_port_that_is_given_is_asked_for() {
        let body = made(&start(&[]), &DockerSpec { port: Some(5433), ..DockerSpec::default() });
        let binding = body.host_config.unwrap().port_bindings.unwrap().remove("5432/tcp").unwrap().unwrap().remove(0);
        assert_eq!(binding.host_port.as_deref(), Some("5433"));
    }

    #[test]
    fn further_arguments_follow_the_adapters_command_or_the_images() {
        let more = DockerSpec { command: vec!["-x".to_owned()], ..DockerSpec::default() };
        assert_eq!(made(&start(&[]), &DockerSpec::default()).cmd, None);
        assert_eq!(made(&start(&[]), &more).cmd.unwrap(), ["dbd", "-x"]);
        assert_eq!(made(&start(&["own"]), &more).cmd.unwrap(), ["own", "-x"]);
    }

    #[test]
    fn volumes_are_bind_mounts_of_absolute_paths() {
        let spec = DockerSpec { volumes: vec!["/h:/c:ro".to_owned()], ..DockerSpec::default() };
        let mounts = made(&start(&[]), &spec).host_config.unwrap().mounts.unwrap();
        assert_eq!((mounts[0].source.as_deref(), mounts[0].read_only), (Some("/h"), Some(true)));
        assert_eq!((mounts[1].source.as_deref(), mounts[1].typ), (Some("volume-1"), Some(MountType::VOLUME)));
        for text in ["data:/c", "/h", "/h:c", "/h:/c:no", "/h:/c:ro:z"] {
            assert!(bind(text).unwrap_err().contains(text), "{text}");
        }
    }

    #[test]
    fn a_bind_mount_at_the_data_path_takes_the_volumes_place() {
        let spec = DockerSpec { volumes: vec!["/h:/data/".to_owned()], ..DockerSpec::default() };
        assert!(binds_data(&spec, "/data"));
        assert!(!binds_data(&spec, "/data/inner"));
    }

    #[test]
    fn names_hold_only_what_docker_takes() {
        let label = RunLabel { run: "r 1/é".to_owned(), folder: "/".into() };
        assert_eq!(name(&label, "db:x", 255), "velodrome-r-1---db-x-000000ff");
    }
}
