//! A suite's targets with their adapters: version, image and place as they will be.
//!
//! It must not touch a server. Invariant: a resolved target can run where it says.

use std::sync::Arc;

use super::hash::{Content, Part};
use crate::adapter::template::render;
use crate::adapter::types::{Adapter, AdapterFile};
use crate::diagnostic::{Diagnostic, nearest};
use crate::suite::model::{DockerSettings, Place, TargetSpec};

use super::types::Target;

/// The adapters there are.
pub trait Adapters {
    /// The adapter by this name.
    fn get(&self, name: &str) -> Option<Arc<Adapter>>;
    /// All names.
    fn names(&self) -> Vec<String>;
}

impl Adapters for crate::adapter::catalogue::Catalogue {
    fn get(&self, name: &str) -> Option<Arc<Adapter>> {
        self.get(name).cloned()
    }

    fn names(&self) -> Vec<String> {
        self.names().map(str::to_owned).collect()
    }
}

/// A target with its adapter.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    /// The target as plans have it.
    pub(super) target: Target,
    /// Its adapter.
    pub(super) adapter: Arc<Adapter>,
    /// What it adds to a case's content.
    pub(super) content: Content,
}

/// Finds a target's adapter and settles where it runs.
///
/// # Errors
/// An adapter that is not there, or a place where it can't run.
pub(super) fn resolve(
    spec: &TargetSpec,
    adapters: &dyn Adapters,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Resolved, Box<Diagnostic>> {
    let adapter = adapters.get(&spec.adapter.text).ok_or_else(|| Box::new(unknown_adapter(spec, adapters)))?;
    let version = spec.version.as_ref().map_or(&adapter.file.versions.default, |text| &text.text).clone();
    let place = place(spec, &adapter.file)?;
    let image = match &place {
        Place::Docker(settings) => image(spec, settings, &adapter.file, &version)?,
        Place::Embedded | Place::Existing(_) => None,
    };
    let chosen_image = matches!(&place, Place::Docker(settings) if settings.image.is_some());
    warnings.extend(unknown_version(spec, &adapter.file, chosen_image));
    let target = Target {
        name: spec.name.text.clone(),
        adapter: spec.adapter.text.clone(),
        adapter_hash: adapter.hash.clone(),
        version,
        image,
        place,
    };
    let content = content(&target).map_err(Box::new)?;
    Ok(Resolved { target, adapter, content })
}

fn unknown_adapter(spec: &TargetSpec, adapters: &dyn Adapters) -> Diagnostic {
    let names = adapters.names();
    let message = format!("there is no database adapter `{}`", spec.adapter.text);
    let error = Diagnostic::error("unknown-adapter", message).at(spec.adapter.span, "");
    let near = nearest(&spec.adapter.text, names.iter().map(String::as_str));
    let error = near.into_iter().fold(error, |error, near| error.help(format!("perhaps `{near}`")));
    error.help(format!("there are: {}", names.join(", ")))
}

/// Where a target runs: where its suite says, else embedded, else in a container.
fn place(spec: &TargetSpec, file: &AdapterFile) -> Result<Place, Box<Diagnostic>> {
    let ways: Vec<&str> = [
        file.embedded.as_ref().map(|_| "embedded"),
        file.docker.as_ref().map(|_| "docker"),
        file.existing.as_ref().map(|_| "existing"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let Some((place, span)) = &spec.place else {
        return match (&file.embedded, &file.docker) {
            (Some(_), _) => Ok(Place::Embedded),
            (None, Some(_)) => Ok(Place::Docker(DockerSettings::default())),
            (None, None) => {
                let message = format!("`{}` can only be reached on a server that is there already", spec.name.text);
                let error = Diagnostic::error("no-place", message).at(spec.name.span, "");
                Err(Box::new(error.help("add `existing: { hosts: [\"HOST:PORT\"] }` to the target")))
            }
        };
    };
    let way = match place {
        Place::Embedded => "embedded",
        Place::Docker(_) => "docker",
        Place::Existing(_) => "existing",
    };
    if ways.contains(&way) {
        return Ok(place.clone());
    }
    let message = format!("`{}` can't run so: {} knows no `{way}`", spec.name.text, file.name);
    let error = Diagnostic::error("no-place", message).at(*span, "");
    Err(Box::new(
        error.help(format!("it can run: {}", if ways.is_empty() { "nowhere".to_owned() } else { ways.join(", ") })),
    ))
}

/// The image of a target in a container.
fn image(
    spec: &TargetSpec,
    settings: &DockerSettings,
    file: &AdapterFile,
    version: &str,
) -> Result<Option<String>, Box<Diagnostic>> {
    if settings.image.is_some() {
        return Ok(settings.image.clone());
    }
    let Some(docker) = &file.docker else { return Ok(None) };
    let context = minijinja::context! { version };
    render("docker.image", &docker.image, &context)
        .map(Some)
        .map_err(|error| Box::new(Diagnostic::error("adapter", format!("{}: {error}", file.name)).at(spec.span, "")))
}

fn unknown_version(spec: &TargetSpec, file: &AdapterFile, chosen_image: bool) -> Option<Diagnostic> {
    let version = spec.version.as_ref()?;
    let known = &file.versions.known;
    if chosen_image || known.is_empty() || known.contains(&version.text) {
        return None;
    }
    let message = format!("the adapter {} is not written for version {}", file.name, version.text);
    let warning = Diagnostic::warning("unknown-version", message).at(version.span, "");
    Some(warning.help(format!("it is written for: {}", known.join(", "))))
}

/// What shapes results of a target: not its name, and no secret, not even where one is kept.
fn content(target: &Target) -> Result<Content, Diagnostic> {
    let mut place = target.place.clone();
    match &mut place {
        Place::Existing(existing) => {
            (existing.password, existing.token, existing.drop_existing) = (None, None, false);
        }
        // Where an image's file lies does not matter, which one it is does.
        Place::Docker(docker) => {
            let file = docker.image_tar.as_ref().and_then(|path| path.rsplit('/').next()).map(str::to_owned);
            docker.image_tar = file;
        }
        Place::Embedded => {}
    }
    let place = serde_json::to_string(&place)
        .map_err(|error| Diagnostic::error("place", format!("the place of `{}`: {error}", target.name)))?;
    let mut content = Content::default();
    content.add(Part::of("target", "adapter", &target.adapter_hash));
    content.add(Part::of("target", "version", &target.version));
    content.add(Part::of("target", "image", target.image.as_deref().unwrap_or("")));
    content.add(Part::of("target", "place", &place));
    Ok(content)
}
