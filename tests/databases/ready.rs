//! Readiness and a run's databases, on real servers with their real adapters and drivers.

use std::sync::Arc;

use velodrome::adapter::catalogue::Catalogue;
use velodrome::adapter::types::Adapter;
use velodrome::driver::protocol::Driver;
use velodrome::driver::registry;
use velodrome::driver::types::{Endpoint, Secret, SessionOptions};
use velodrome::provision::admin::Admin;
use velodrome::provision::databases::{DatabaseState, Databases, name};
use velodrome::provision::existing::ExistingProvisioner;
use velodrome::provision::ready::{patience, ready};
use velodrome::provision::types::{DockerSpec, ExistingSpec, Instance, Place, ProvisionError, Provisioner};

use crate::influx;
use crate::scene::{Run, provisioner, request};

/// A server in a container, from its public adapter and its test image.
struct Server {
    adapter: Arc<Adapter>,
    driver: Arc<dyn Driver>,
    instance: Box<dyn Instance>,
}

impl Server {
    async fn start(run: &Run, adapter: &str) -> Self {
        Self::start_with(run, adapter, &[]).await
    }

    async fn start_with(run: &Run, adapter: &str, command: &[&str]) -> Self {
        let catalogue = Catalogue::builtin(registry::names()).unwrap();
        let adapter = Arc::clone(catalogue.get(adapter).unwrap());
        let image = Some(format!("velodrome-test/{}:local", adapter.file.name));
        let command = command.iter().map(|word| (*word).to_owned()).collect();
        let place = Place::Docker(DockerSpec { image, command, ..DockerSpec::default() });
        let instance = provisioner().start(&request(run, Arc::clone(&adapter), place)).await.unwrap();
        Server { driver: registry::find(&adapter.file.driver).unwrap(), adapter, instance }
    }

    async fn ready(&self) -> Result<Option<String>, ProvisionError> {
        self.ready_as(&*self.instance, &Place::Docker(DockerSpec::default())).await
    }

    async fn ready_as(&self, instance: &dyn Instance, place: &Place) -> Result<Option<String>, ProvisionError> {
        let limit = patience(&self.adapter.file, place);
        ready(instance, Arc::clone(&self.driver), &self.adapter.file, "here", limit).await
    }

    fn admin(&self) -> Admin {
        let endpoint = self.instance.endpoint();
        Admin { driver: Arc::clone(&self.driver), endpoint, options: SessionOptions::default() }
    }
}

#[tokio::test]
async fn a_server_is_ready_and_says_its_version_also_after_a_pause() {
    let run = Run::new("ready");
    let mut server = Server::start(&run, "influxdb-1").await;
    assert!(server.ready().await.unwrap().unwrap().starts_with("1.6.7"));
    server.instance.pause().await.unwrap();
    server.instance.resume().await.unwrap();
    server.ready().await.unwrap();
    server.instance.remove().await.unwrap();
}

/// Makes, fills, renews and releases databases of a run, and one that the suite names, on a server that is there already.
async fn databases_come_and_go(adapter: &str, fill: impl AsyncFn(Admin)) {
    let run = Run::new(&format!("databases-{adapter}"));
    let server = Server::start(&run, adapter).await;
    server.ready().await.unwrap();
    let place = Place::Existing(ExistingSpec { endpoint: server.instance.endpoint(), ..ExistingSpec::default() });
    let existing = ExistingProvisioner.start(&request(&run, Arc::clone(&server.adapter), place.clone())).await.unwrap();
    server.ready_as(&*existing, &place).await.unwrap();

    let admin = server.admin();
    let fill = async |name: &str| fill(admin.in_database(name)).await;
    let of = |run: &str| Databases::new(server.admin(), Arc::clone(&server.adapter), run);
    let mut databases = of("20261201-000000-aaaa").with_named("named", false);
    let own = name("20261201-000000-aaaa", 1);
    databases.renew(&own).await.unwrap();
    fill(&own).await;
    assert!(matches!(databases.state(&own).await.unwrap(), DatabaseState::Holds(_)));
    databases.renew(&own).await.unwrap();
    assert_eq!(databases.state(&own).await.unwrap(), DatabaseState::Empty);

    let user = name("20261201-000000-bbbb", 7);
    of("20261201-000000-bbbb").renew(&user).await.unwrap();
    fill(&user).await;
    let error = of("20261201-000000-aaaa").with_named(&user, false).renew(&user).await.unwrap_err().to_string();
    assert!(error.contains("it is not empty"), "{error}");
    assert_eq!(databases.remove_run().await.unwrap(), std::slice::from_ref(&own));
    assert_eq!(databases.state(&own).await.unwrap(), DatabaseState::Absent);

    of("20261201-000000-bbbb").renew(&user).await.unwrap();
    let mut lent = of("20261201-000000-cccc").with_named(&user, false);
    lent.renew(&user).await.unwrap();
    fill(&user).await;
    lent.renew(&user).await.unwrap();
    assert_eq!(lent.state(&user).await.unwrap(), DatabaseState::Empty);
    fill(&user).await;
    lent.release(&user).await.unwrap();
    assert_eq!(lent.state(&user).await.unwrap(), DatabaseState::Empty);
}

#[tokio::test]
async fn databases_of_influxdb_come_and_go() {
    databases_come_and_go("influxdb-1", async |admin| {
        let path = format!("/write?db={}", admin.endpoint.database);
        influx::post(&admin.endpoint, &path, "g_0,device=d_0 s_0=1 1\n").unwrap();
    })
    .await;
}

#[tokio::test]
async fn databases_of_postgres_come_and_go() {
    databases_come_and_go("postgres", async |admin| {
        let statements = ["CREATE TABLE t (a int)", "CREATE TABLE u (a int) PARTITION BY RANGE (a)"];
        admin.execute(statements.map(str::to_owned).to_vec()).await.unwrap();
    })
    .await;
}

/// Starts PostgreSQL, waits until it is ready, and then asks over ten connections, none of which may be reset.
async fn ready_is_ready(number: u32) {
    let run = Run::new(&format!("v01-{number}"));
    let mut server = Server::start(&run, "postgres").await;
    assert!(server.ready().await.unwrap().unwrap().starts_with("15."));
    let admin = server.admin().in_database("postgres");
    for _ in 0..10 {
        admin.ask(vec!["SELECT 1".to_owned()]).await.unwrap();
    }
    server.instance.remove().await.unwrap();
    assert_eq!(run.left(), Vec::<String>::new());
}

#[tokio::test]
async fn v01_twenty_starts_of_postgres_have_no_reset() {
    for four in 0..5 {
        let starts = (0..4).map(|number| ready_is_ready(four * 4 + number));
        futures_util::future::join_all(starts).await;
    }
}

#[tokio::test]
async fn a_server_that_refuses_its_settings_is_told_with_its_own_words_before_the_time_is_over() {
    let run = Run::new("refuses");
    let mut server = Server::start_with(&run, "postgres", &["-c", "shared_buffers=1kB"]).await;
    let error = server.ready().await.unwrap_err().to_string();
    assert!(error.starts_with("here did not start: it ended with exit code 1; its log ends:"), "{error}");
    assert!(error.contains("shared_buffers"), "{error}");
    server.instance.remove().await.unwrap();
}

#[tokio::test]
async fn a_wrong_password_for_an_existing_server_is_told_soon_and_not_shown() {
    let run = Run::new("password");
    let server = Server::start(&run, "postgres").await;
    server.ready().await.unwrap();
    let endpoint = Endpoint { password: Some(Secret::new("s3cr3t-Pw")), ..server.instance.endpoint() };
    let place = Place::Existing(ExistingSpec { endpoint, ..ExistingSpec::default() });
    let existing = ExistingProvisioner.start(&request(&run, Arc::clone(&server.adapter), place.clone())).await.unwrap();
    let error = server.ready_as(&*existing, &place).await.unwrap_err();
    assert!(matches!(error, ProvisionError::NotReady { seconds: ..=12, .. }), "{error}");
    assert!(error.to_string().contains("password authentication failed"), "{error}");
    assert!(!format!("{error:?} {place:?}").contains("s3cr3t-Pw"));
}
