//! The Docker provisioner against the daemon of this host.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use velodrome::adapter::types::{Adapter, AdapterFile};
use velodrome::provision::docker::{Address, DockerProvisioner};
use velodrome::provision::types::{DockerSpec, Instance, Life, Place, ProvisionError, Provisioner, RunLabel};

use crate::influx;
use crate::scene::{Run, docker, labelled, provisioner, request};

/// An adapter for an image, with further lines of its `docker:` part and texts of its folder.
fn adapter(image: &str, port: u16, data: &str, lines: &str, texts: &[(&str, &str)]) -> Arc<Adapter> {
    let text = format!(
        "format: 1\nname: {image}\ntitle: T\nabout: A.\ndriver: none\nversions: {{default: '1'}}\n\
         tuning:\n  level: {{about: A., type: integer, apply: config}}\n\
         docker:\n  image: velodrome-test/{image}:local\n  port: {port}\n  data: {data}\n  login: {{user: u, password: p}}\n{lines}"
    );
    let file: AdapterFile = serde_saphyr::from_str(&text).unwrap();
    let texts = texts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Arc::new(Adapter { file, texts, hash: String::new() })
}

/// A bare container that runs a shell command.
fn shell(command: &str) -> Arc<Adapter> {
    let command = format!("  stop_seconds: 1\n  command: [sh, -c, '{command}']\n");
    adapter("base", 7000, "/var/data", &command, &[])
}

async fn start(run: &Run, adapter: Arc<Adapter>, spec: DockerSpec) -> Result<Box<dyn Instance>, ProvisionError> {
    provisioner().start(&request(run, adapter, Place::Docker(spec))).await
}

async fn eventually(what: &str, mut right: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !right().await {
        assert!(began.elapsed() < Duration::from_secs(30), "not within 30 s: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn influx_says(instance: &dyn Instance, query: &str, words: &str) {
    let endpoint = instance.endpoint();
    eventually(words, async || influx::query(&endpoint, query).is_some_and(|answer| answer.contains(words))).await;
}

#[tokio::test]
async fn a_server_keeps_its_data_through_pauses_and_restarts_and_is_read_and_removed() {
    let run = Run::new("life");
    let adapter = adapter("influxdb-1", 8086, "/var/lib/influxdb", "", &[]);
    let mut instance = start(&run, adapter, DockerSpec::default()).await.unwrap();
    influx_says(&*instance, "CREATE DATABASE kept", "results").await;
    assert_eq!(run.left().len(), 2, "a container and a volume");

    let first = instance.read().unwrap();
    influx_says(&*instance, "SHOW DATABASES", "kept").await;
    let second = instance.read().unwrap();
    assert!(second.cpu_seconds > first.cpu_seconds && second.memory_bytes > Some(1 << 20));
    assert!(second.network_in_bytes > first.network_in_bytes && second.network_out_bytes > first.network_out_bytes);
    assert!(second.disk_write_bytes >= first.disk_write_bytes && second.disk_write_bytes > Some(0));
    assert!(instance.disk_bytes().await > Some(0));

    instance.pause().await.unwrap();
    assert!(matches!(instance.life().await, Life::Ended { out_of_memory: false, .. }));
    assert_eq!(instance.read(), None);
    instance.resume().await.unwrap();
    influx_says(&*instance, "SHOW DATABASES", "kept").await;
    instance.restart().await.unwrap();
    influx_says(&*instance, "SHOW DATABASES", "kept").await;
    assert_eq!(instance.life().await, Life::Running);
    assert!(instance.read().is_some());

    let identity = instance.identity();
    assert_eq!(identity.image.as_deref(), Some("velodrome-test/influxdb-1:local"));
    assert!(identity.digest.unwrap().contains("sha256:"));
    instance.remove().await.unwrap();
    instance.remove().await.unwrap();
    assert_eq!(run.left(), Vec::<String>::new());
}

#[tokio::test]
async fn limits_files_environment_and_labels_reach_the_container() {
    let run = Run::new("limits");
    let lines = "  shm_bytes: 134217728\n  environment: {LEVEL: '{{ tuning.level }}'}\n\
         \x20 files: [{template: server.conf, path: /etc/made/for/it/server.conf}]\n\
         \x20 command: [sh, -c, 'echo env $LEVEL $MORE; cat /etc/made/for/it/server.conf; echo; sleep 60']\n";
    let adapter = adapter("base", 7000, "/var/data", lines, &[("server.conf", "level = {{ tuning.level }}\n")]);
    let spec = DockerSpec {
        cpus: Some(0.5),
        cpuset: Some("0".to_owned()),
        memory: Some(64 << 20),
        environment: BTreeMap::from([("MORE".to_owned(), "more".to_owned())]),
        volumes: vec!["/etc:/host/etc:ro".to_owned()],
        ..DockerSpec::default()
    };
    let mut request = request(&run, adapter, Place::Docker(spec));
    request.tuning.insert("level".to_owned(), "7".to_owned());
    let mut instance = provisioner().start(&request).await.unwrap();
    let id = instance.identity().container.unwrap();
    let format = "{{.HostConfig.NanoCpus}} {{.HostConfig.CpusetCpus}} {{.HostConfig.Memory}} {{.HostConfig.MemorySwap}} \
        {{.HostConfig.ShmSize}} {{.HostConfig.RestartPolicy.Name}} {{index .Config.Labels \"velodrome.folder\"}} \
        {{index .Config.Labels \"velodrome.target\"}} {{(index .HostConfig.PortBindings \"7000/tcp\" 0).HostIp}}";
    let said = docker(&["inspect", "--format", format, &id]);
    assert_eq!(said, "500000000 0 67108864 67108864 134217728 no /reports/here base-here 127.0.0.1");
    let expected = ["env 7 more", "level = 7"];
    eventually("the log", async || instance.last_words().await == expected).await;
    let file = std::env::temp_dir().join(format!("{}.log", run.0));
    assert_eq!(instance.save_logs(&file).await.unwrap(), expected);
    assert!(std::fs::read_to_string(&file).unwrap().contains("Z level = 7"));
    std::fs::remove_file(&file).unwrap();
    assert_eq!(
        docker(&["exec", &id, "cat", "/host/etc/hostname"]),
        std::fs::read_to_string("/etc/hostname").unwrap().trim()
    );
    instance.remove().await.unwrap();
    assert_eq!(run.left(), Vec::<String>::new());
}

#[tokio::test]
async fn v03_a_port_that_is_taken_is_named_nothing_is_left_and_the_second_start_is_good() {
    let run = Run::new("v03");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let spec = DockerSpec { port: Some(port), ..DockerSpec::default() };
    let error = start(&run, shell("sleep 60"), spec.clone()).await.err().unwrap().to_string();
    assert!(error.starts_with(&format!("base-here did not start: port 127.0.0.1:{port} is taken")), "{error}");
    assert_eq!(run.left(), Vec::<String>::new());
    drop(listener);
    let mut instance = start(&run, shell("sleep 60"), spec).await.unwrap();
    assert_eq!(instance.endpoint().hosts, [("127.0.0.1".to_owned(), port)]);
    instance.remove().await.unwrap();
}

#[tokio::test]
async fn a_command_that_is_not_there_leaves_nothing() {
    let run = Run::new("command");
    let adapter = adapter("base", 7000, "/var/data", "  command: [/no/such/server]\n", &[]);
    let error = start(&run, adapter, DockerSpec::default()).await.err().unwrap().to_string();
    assert!(error.starts_with("base-here did not start: ") && error.contains("/no/such/server"), "{error}");
    assert_eq!(run.left(), Vec::<String>::new());
}

#[tokio::test]
async fn a_server_that_ends_tells_its_exit_code_and_one_that_is_killed_the_signal() {
    let run = Run::new("end");
    let mut ending = start(&run, shell("echo FATAL: nope; sleep 1; exit 3"), DockerSpec::default()).await.unwrap();
    let mut killed = start(&run, shell("exec sleep 60"), DockerSpec::default()).await.unwrap();
    docker(&["kill", &killed.identity().container.unwrap()]);
    for (instance, code) in [(&ending, 3), (&killed, 137)] {
        let ended = Life::Ended { exit_code: Some(code), out_of_memory: false };
        eventually("the end", async || instance.life().await == ended).await;
    }
    assert_eq!(ending.last_words().await, ["FATAL: nope"]);
    ending.remove().await.unwrap();
    assert_eq!(ending.life().await, Life::Ended { exit_code: None, out_of_memory: false });
    killed.remove().await.unwrap();
}

#[tokio::test]
async fn a_server_that_is_out_of_memory_is_told_as_such() {
    let run = Run::new("memory");
    let spec = DockerSpec { memory: Some(24 << 20), ..DockerSpec::default() };
    let mut instance = start(&run, shell("exec tail /dev/zero"), spec).await.unwrap();
    let killed = Life::Ended { exit_code: Some(137), out_of_memory: true };
    eventually("the kill", async || instance.life().await == killed).await;
    instance.remove().await.unwrap();
}

#[tokio::test]
async fn removing_a_run_touches_only_what_carries_its_label() {
    let (dead, alive) = (Run::new("dead"), Run::new("alive"));
    let other = start(&alive, shell("sleep 60"), DockerSpec::default()).await.unwrap();
    for _ in 0..2 {
        drop(start(&dead, shell("sleep 60"), DockerSpec::default()).await.unwrap());
    }
    docker(&["network", "create", "--label", &format!("velodrome.run={}", dead.0), &dead.0]);
    let runs = provisioner().labelled().await.unwrap();
    for run in [&dead, &alive] {
        assert!(runs.contains(&RunLabel { run: run.0.clone(), folder: "/reports/here".into() }));
    }
    let removed = provisioner().remove_run(&dead.0).await.unwrap();
    assert_eq!(removed.len(), 5, "two containers, two volumes, a network: {removed:?}");
    assert_eq!(dead.left(), Vec::<String>::new());
    assert_eq!((alive.left().len(), other.life().await), (2, Life::Running));
    assert!(!labelled("velodrome.run").is_empty());
}

#[tokio::test]
async fn an_image_is_loaded_from_a_tarball() {
    let run = Run::new("tar");
    let image = format!("velodrome-test-loaded:{}", std::process::id());
    let tar = std::env::temp_dir().join(format!("{}.tar", run.0));
    docker(&["tag", "velodrome-test/base:local", &image]);
    docker(&["save", "--output", tar.to_str().unwrap(), &image]);
    docker(&["rmi", &image]);
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = Arc::clone(&told);
    let provisioner = DockerProvisioner::new(
        Address::find(None, None).unwrap(),
        Arc::new(move |line: &str| tell.lock().unwrap().push(line.to_owned())),
    );
    let asked = |image: &str| {
        let (image, image_tar) = (Some(image.to_owned()), Some(tar.clone()));
        request(&run, shell("sleep 60"), Place::Docker(DockerSpec { image, image_tar, ..DockerSpec::default() }))
    };
    let wrong = provisioner.start(&asked("velodrome-test-other:1")).await.err().unwrap();
    let holds = format!("image velodrome-test-other:1: the tarball {} holds {image}", tar.display());
    assert_eq!(wrong.to_string(), holds);
    docker(&["rmi", &image]);
    let mut instance = provisioner.start(&asked(&image)).await.unwrap();
    instance.remove().await.unwrap();
    docker(&["rmi", &image]);
    std::fs::remove_file(&tar).unwrap();
    assert_eq!(told.lock().unwrap().len(), 2, "a line for each loading");
}

#[tokio::test]
async fn an_image_that_can_not_be_had_is_told_with_what_to_do() {
    let run = Run::new("pull");
    let spec = DockerSpec { image: Some("127.0.0.1:1/none:1".to_owned()), ..DockerSpec::default() };
    let error = start(&run, shell("sleep 60"), spec).await.err().unwrap();
    assert!(matches!(error, ProvisionError::Image { .. }));
    let said = error.to_string();
    assert!(said.starts_with("image 127.0.0.1:1/none:1: ") && said.contains("image_tar"), "{said}");
    assert_eq!(run.left(), Vec::<String>::new());
}
