//! From a plan's targets to what a run works with: adapters, drivers, provisioners, secrets.
//!
//! It must not start or reach anything. Invariant: a secret that is missing is told before anything is touched, by its name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};

use crate::adapter::catalogue::Catalogue;
use crate::driver::registry;
use crate::driver::types::{Endpoint, Secret};
use crate::plan::types::{Plan, Target};
use crate::provision::docker::{Address, DockerProvisioner, Progress};
use crate::provision::embedded::EmbeddedProvisioner;
use crate::provision::existing::ExistingProvisioner;
use crate::provision::types::{self, DockerSpec, ExistingSpec, Provisioner};
use crate::run::scrub::Scrub;
use crate::run::world::TargetParts;
use crate::suite::model::{DockerSettings, ExistingSettings, Place, SecretRef};

/// The provisioner of this machine's Docker; nothing is asked of it yet.
pub(super) fn docker(progress: Progress) -> anyhow::Result<DockerProvisioner> {
    let host = std::env::var("DOCKER_HOST").ok();
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    Ok(DockerProvisioner::new(Address::find(host.as_deref(), runtime.as_deref())?, progress))
}

/// The targets' parts by name, and all secrets among them.
pub(super) struct Resolved {
    /// The parts.
    pub(super) parts: BTreeMap<String, TargetParts>,
    /// The secrets.
    pub(super) secrets: Vec<Secret>,
}

impl Resolved {
    /// What takes the secrets out of texts.
    pub(super) fn scrub(&self) -> Scrub {
        let names = self.parts.values().flat_map(names).map(str::to_owned).collect();
        Scrub::new(self.secrets.clone(), &names)
    }

    /// A warning for each target with a secret that anybody can guess, and that is not masked therefore.
    pub(super) fn unmasked(&self) -> Vec<String> {
        let public: BTreeSet<&str> = self.parts.values().flat_map(names).collect();
        let endpoint = |parts: &TargetParts| match &parts.place {
            types::Place::Existing(spec) => Some(spec.endpoint.clone()),
            _ => None,
        };
        let mut warnings = Vec::new();
        for (name, endpoint) in self.parts.iter().filter_map(|(name, parts)| Some((name, endpoint(parts)?))) {
            for (what, secret) in [("password", endpoint.password), ("token", endpoint.token)] {
                if secret.is_some_and(|secret| public.contains(secret.expose())) {
                    warnings.push(format!(
                        "target {name}: its {what} is the same as the name of a target, an adapter, a driver or a user; it \
                         protects nothing, and texts are kept as they are"
                    ));
                }
            }
        }
        warnings
    }
}

/// The names by which a target is told to people.
fn names(parts: &TargetParts) -> Vec<&str> {
    let mut names = vec![parts.target.name.as_str(), parts.target.adapter.as_str(), parts.adapter.file.driver.as_str()];
    if let types::Place::Existing(spec) = &parts.place {
        names.extend(spec.endpoint.user.as_deref());
    }
    names
}

/// Resolves the targets of a plan.
///
/// # Errors
/// When an adapter is unknown or has changed since the plan was made, or a secret is missing.
pub(super) fn resolve(plan: &Plan, catalogue: &Catalogue, progress: Progress) -> anyhow::Result<Resolved> {
    let mut resolved = Resolved { parts: BTreeMap::new(), secrets: Vec::new() };
    let needs_docker = plan.targets.iter().any(|target| matches!(target.place, Place::Docker(_)));
    let docker: Option<Arc<dyn Provisioner>> = if needs_docker { Some(Arc::new(docker(progress)?)) } else { None };
    for target in &plan.targets {
        let parts = parts(target, catalogue, docker.as_ref(), &mut resolved.secrets)
            .with_context(|| format!("target {}", target.name))?;
        resolved.parts.insert(target.name.clone(), parts);
    }
    Ok(resolved)
}

fn parts(
    target: &Target,
    catalogue: &Catalogue,
    docker: Option<&Arc<dyn Provisioner>>,
    secrets: &mut Vec<Secret>,
) -> anyhow::Result<TargetParts> {
    let name = &target.adapter;
    let adapter =
        catalogue.get(name).ok_or_else(|| anyhow!("there is no adapter {name}; was --adapters given before?"))?;
    if adapter.hash != target.adapter_hash {
        bail!(
            "adapter {name} has changed since the plan was made, so that its trials can't be compared; start a new run"
        );
    }
    let driver = &adapter.file.driver;
    let driver = registry::find(driver).ok_or_else(|| anyhow!("there is no driver {driver}"))?;
    let embedded: Arc<dyn Provisioner> = Arc::new(EmbeddedProvisioner);
    let (place, provisioner) = match &target.place {
        Place::Embedded => (types::Place::Embedded, embedded),
        Place::Docker(settings) => {
            let provisioner = docker.cloned().ok_or_else(|| anyhow!("it needs Docker"))?;
            (types::Place::Docker(docker_spec(settings, target.image.as_deref())), provisioner)
        }
        Place::Existing(settings) => {
            let login = adapter.file.existing.clone().unwrap_or_default();
            let spec = existing_spec(settings, &login, secrets)?;
            (types::Place::Existing(spec), Arc::new(ExistingProvisioner) as Arc<dyn Provisioner>)
        }
    };
    Ok(TargetParts { target: target.clone(), adapter: adapter.clone(), driver, provisioner, place })
}

fn docker_spec(settings: &DockerSettings, image: Option<&str>) -> DockerSpec {
    DockerSpec {
        image: settings.image.clone().or_else(|| image.map(str::to_owned)),
        image_tar: settings.image_tar.as_ref().map(PathBuf::from),
        cpus: settings.cpus,
        cpuset: settings.cpuset.clone(),
        memory: settings.memory,
        environment: settings.environment.clone(),
        volumes: settings.volumes.clone(),
        command: settings.command.clone(),
        port: settings.port,
    }
}

fn existing_spec(
    settings: &ExistingSettings,
    login: &crate::adapter::types::Login,
    secrets: &mut Vec<Secret>,
) -> anyhow::Result<ExistingSpec> {
    let hosts = settings.hosts.iter().map(|host| address(host, login.port)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut secret = |what: &str, reference: &Option<SecretRef>| -> anyhow::Result<Option<Secret>> {
        let read = reference.as_ref().map(|reference| read_secret(what, reference)).transpose()?;
        secrets.extend(read.clone());
        Ok(read)
    };
    let password = secret("password", &settings.password)?;
    let token = secret("token", &settings.token)?;
    let endpoint = Endpoint {
        hosts,
        user: settings.user.clone().or_else(|| login.user.clone()),
        password,
        token,
        org: settings.org.clone().or_else(|| login.org.clone()),
        database: settings.database.clone().unwrap_or_default(),
        file: None,
        tls: settings.tls,
    };
    let named_database = settings.database.is_some();
    Ok(ExistingSpec { endpoint, named_database, drop_existing: settings.drop_existing })
}

/// `host`, `host:port` or `[v6]:port`.
fn address(text: &str, port: Option<u16>) -> anyhow::Result<(String, u16)> {
    let (name, given) = match text.rsplit_once(':') {
        Some((name, digits)) if !name.contains(':') || name.ends_with(']') => (name, Some(digits)),
        _ => (text, None),
    };
    let given = given.map(|digits| digits.parse().with_context(|| format!("port {digits:?}"))).transpose()?;
    let port = given.or(port).ok_or_else(|| anyhow!("host {name} needs a port: {name}:PORT"))?;
    Ok((name.trim_start_matches('[').trim_end_matches(']').to_owned(), port))
}

/// Reads `existing.password` or `existing.token`.
fn read_secret(what: &str, reference: &SecretRef) -> anyhow::Result<Secret> {
    match reference {
        SecretRef::Env(name) => match std::env::var(name) {
            Ok(text) => Ok(Secret::new(text)),
            Err(std::env::VarError::NotPresent) => bail!(
                "existing.{what} is to come from the environment variable {name}, which is not set; set it (`export \
                 {name}=…`), or name a file that holds it: `{what}: {{ file: PATH }}`"
            ),
            Err(std::env::VarError::NotUnicode(_)) => {
                bail!("existing.{what} is to come from the environment variable {name}, which is no UTF-8 text")
            }
        },
        SecretRef::File(path) => match std::fs::read_to_string(path) {
            Ok(text) => Ok(Secret::new(text.trim_end_matches(['\n', '\r']))),
            Err(error) => bail!(
                "existing.{what} is to come from the file {path}, which can't be read ({error}); write the {what} into it, \
                 or name an environment variable: `{what}: {{ env: NAME }}`"
            ),
        },
    }
}

/// Makes the plan's paths absolute, so that it can be resumed from another folder.
pub(super) fn settle_paths(plan: &mut Plan) {
    let absolute = |path: &mut String| {
        if let Ok(whole) = std::path::absolute(Path::new(path)) {
            *path = whole.to_string_lossy().into_owned();
        }
    };
    for target in &mut plan.targets {
        match &mut target.place {
            Place::Embedded => {}
            Place::Docker(settings) => settings.image_tar.iter_mut().for_each(absolute),
            Place::Existing(settings) => {
                for secret in [&mut settings.password, &mut settings.token].into_iter().flatten() {
                    if let SecretRef::File(path) = secret {
                        absolute(path);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_port_of_their_own_or_the_adapters() {
        assert_eq!(address("db1:6041", Some(1)).unwrap(), ("db1".to_owned(), 6041));
        assert_eq!(address("db1", Some(8086)).unwrap(), ("db1".to_owned(), 8086));
        assert_eq!(address("[::1]:5432", None).unwrap(), ("::1".to_owned(), 5432));
        assert!(address("db1", None).unwrap_err().to_string().contains("db1:PORT"));
    }

    #[test]
    fn a_missing_secret_is_told_by_its_name() {
        let error = read_secret("password", &SecretRef::Env("NO_SUCH_NAME".into())).unwrap_err();
        let said = "existing.password is to come from the environment variable NO_SUCH_NAME, which is not set; set it";
        assert!(error.to_string().starts_with(said), "{error}");
    }
}
