//! How the daemon is reached, and why it is not.
//!
//! It must not read the environment. Invariant: a failure is one line that names the address and the cause.

use std::error::Error as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bollard::{API_DEFAULT_VERSION, Docker, errors::Error};

use crate::provision::types::ProvisionError;

/// Where a daemon listens on this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A socket's path.
    Socket(PathBuf),
    /// A port of this host.
    Tcp(String),
}

/// Why an address can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The daemon is on another host; containers' ports are published on this one's 127.0.0.1 only.
    #[error(
        "DOCKER_HOST={0} is another host; Velodrome publishes ports on 127.0.0.1 and needs a daemon on this host: \
         unset DOCKER_HOST, or name a server that runs there under `existing:`"
    )]
    Elsewhere(String),
    /// A way of talking that is not spoken here.
    #[error("DOCKER_HOST={0} can't be used; expected unix:///path/to/docker.sock or tcp://127.0.0.1:PORT without TLS")]
    Scheme(String),
}

const DEFAULT_SOCKET: &str = "/var/run/docker.sock";
/// Enough for a slow disk; a daemon that hangs is not waited for without end.
const CALL_SECONDS: u64 = 120;
const GREETING: Duration = Duration::from_secs(10);

impl Address {
    /// Reads DOCKER_HOST. Where it is not set: the usual socket, or that of a rootless daemon (in XDG_RUNTIME_DIR) where only
    /// that exists.
    ///
    /// # Errors
    /// When DOCKER_HOST names something that can't be used.
    pub fn find(docker_host: Option<&str>, runtime_dir: Option<&Path>) -> Result<Self, AddressError> {
        match docker_host.filter(|host| !host.is_empty()) {
            Some(host) => Self::parse(host),
            None => {
                let usual = PathBuf::from(DEFAULT_SOCKET);
                let rootless = runtime_dir.map(|folder| folder.join("docker.sock")).filter(|socket| socket.exists());
                Ok(Address::Socket(rootless.filter(|_| !usual.exists()).unwrap_or(usual)))
            }
        }
    }

    fn parse(host: &str) -> Result<Self, AddressError> {
        if let Some(path) = host.strip_prefix("unix://") {
            return Ok(Address::Socket(PathBuf::from(path)));
        }
        let Some(rest) = host.strip_prefix("tcp://").or_else(|| host.strip_prefix("http://")) else {
            return Err(AddressError::Scheme(without_login(host)));
        };
        let place = rest.trim_end_matches('/');
        let name = place.rsplit_once(':').map_or(place, |(name, _)| name);
        if ["127.0.0.1", "localhost", "[::1]"].contains(&name) {
            Ok(Address::Tcp(host.to_owned()))
        } else {
            Err(AddressError::Elsewhere(without_login(host)))
        }
    }
}

/// A URL without what stands before an `@`: it can be a password.
fn without_login(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, place))) => format!("{scheme}://{place}"),
        _ => url.to_owned(),
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Address::Socket(path) => write!(f, "{}", path.display()),
            Address::Tcp(url) => f.write_str(url),
        }
    }
}

/// Connects, and agrees with the daemon on a version of its API.
pub(super) async fn connect(address: &Address) -> Result<Docker, ProvisionError> {
    let unavailable =
        |cause: String| ProvisionError::Unavailable(format!("Docker can't be used at {address}: {cause}"));
    let docker = match address {
        Address::Socket(path) => {
            std::fs::metadata(path).map_err(|error| unavailable(system_cause(&error)))?;
            Docker::connect_with_unix(&path.to_string_lossy(), CALL_SECONDS, API_DEFAULT_VERSION)
        }
        Address::Tcp(url) => Docker::connect_with_http(url, CALL_SECONDS, API_DEFAULT_VERSION),
    };
    let docker = docker.map_err(|error| unavailable(cause(&error)))?;
    match tokio::time::timeout(GREETING, docker.negotiate_version()).await {
        Ok(Ok(docker)) => Ok(docker),
        Ok(Err(error)) => Err(unavailable(cause(&error))),
        Err(_) => Err(unavailable(format!("no answer within {} s", GREETING.as_secs()))),
    }
}

/// Why nobody answered: the system's error at the bottom, where there is one.
fn cause(error: &Error) -> String {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<std::io::Error>() {
            return system_cause(found);
        }
        next = error.source();
    }
    words(error)
}

/// A system's error in words, with what to do about it.
fn system_cause(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "no such file (is Docker installed and running?)".to_owned(),
        ErrorKind::PermissionDenied => "permission denied (is this user in the group `docker`?)".to_owned(),
        ErrorKind::ConnectionRefused => "nobody listens there (is Docker running?)".to_owned(),
        _ => error.to_string(),
    }
}

/// The words of the daemon, or of whatever kept it from speaking, in one line.
pub(super) fn words(error: &Error) -> String {
    let text = match error {
        Error::DockerResponseServerError { message, .. } => message.clone(),
        Error::DockerStreamError { error } => error.clone(),
        Error::RequestTimeoutError => "Docker gave no answer in time".to_owned(),
        other => match other.source() {
            Some(source) => format!("{other}: {source}"),
            None => other.to_string(),
        },
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the daemon says that there is no such thing.
pub(super) fn is_missing(error: &Error) -> bool {
    matches!(error, Error::DockerResponseServerError { status_code: 404, .. })
}

/// A step that Docker refused.
pub(super) fn refused(step: impl Into<String>, error: &Error) -> ProvisionError {
    ProvisionError::Other { step: step.into(), cause: words(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docker_host_is_understood_or_refused_without_its_login() {
        let find = |host: &str| Address::find(Some(host), None);
        assert_eq!(find("unix:///run/d.sock"), Ok(Address::Socket("/run/d.sock".into())));
        assert_eq!(find("tcp://127.0.0.1:2375"), Ok(Address::Tcp("tcp://127.0.0.1:2375".into())));
        assert_eq!(find("tcp://u:s3cr3t-Pw@far:2375"), Err(AddressError::Elsewhere("tcp://far:2375".into())));
        assert_eq!(find("ssh://u:s3cr3t-Pw@far"), Err(AddressError::Scheme("ssh://far".into())));
        assert_eq!(Address::find(Some(""), None), Address::find(None, None));
    }

    #[tokio::test]
    async fn v06_an_absent_daemon_is_one_line_with_the_path_and_the_cause() {
        let folder = std::env::temp_dir();
        let absent = Address::Socket(folder.join("velodrome-no-such.sock"));
        let said = connect(&absent).await.unwrap_err().to_string();
        let expected = format!("Docker can't be used at {absent}: no such file (is Docker installed and running?)");
        assert_eq!(said, expected);

        let dead = folder.join(format!("velodrome-dead-{}.sock", std::process::id()));
        drop(std::os::unix::net::UnixListener::bind(&dead).unwrap());
        let said = connect(&Address::Socket(dead.clone())).await.unwrap_err().to_string();
        std::fs::remove_file(&dead).unwrap();
        assert!(said.contains(&*dead.to_string_lossy()) && said.contains("nobody listens there"), "{said}");
        assert!(!said.contains('\n'));
    }

    #[test]
    fn v06_permission_denied_names_the_group() {
        let error = std::io::Error::from(ErrorKind::PermissionDenied);
        assert_eq!(system_cause(&error), "permission denied (is this user in the group `docker`?)");
    }
}
