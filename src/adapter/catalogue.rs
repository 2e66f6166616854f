//! The adapters there are: those compiled in, and those of folders that a user names.
//!
//! It must not read files: texts are handed in. Invariant: every adapter in it has passed all checks.

use std::collections::BTreeMap;
use std::sync::Arc;

use include_dir::{Dir, include_dir};
use sha2::{Digest, Sha256};

use super::check::{self, Known};
use super::types::{Adapter, AdapterFile};
use crate::diagnostic::{Diagnostic, SourceMap};

static BUILTIN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/adapters");

/// The file that says what an adapter is.
pub const FILE: &str = "adapter.yaml";

/// The adapters there are, by name.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    adapters: BTreeMap<String, Arc<Adapter>>,
    drivers: Vec<&'static str>,
    sources: SourceMap,
}

impl Catalogue {
    /// None yet. `drivers` are the names that adapters may give as their driver.
    pub fn empty(drivers: &[&'static str]) -> Self {
        Catalogue { drivers: drivers.to_vec(), ..Catalogue::default() }
    }

    /// Those compiled in.
    ///
    /// # Errors
    /// What is wrong with one of them; a test sees to it that nothing is.
    pub fn builtin(drivers: &[&'static str]) -> Result<Self, Vec<Diagnostic>> {
        let mut catalogue = Catalogue::empty(drivers);
        for folder in BUILTIN.dirs() {
            let mut texts = BTreeMap::new();
            collect(folder, folder, &mut texts);
            catalogue.with_folder(&format!("adapters/{}", folder.path().display()), texts)?;
        }
        Ok(catalogue)
    }

    /// Adds the adapter of a folder, in place of one of the same name. `folder` is the path that complaints show, `texts` are
    /// its files by their path in it.
    ///
    /// # Errors
    /// Everything that is wrong with it; positions are in [`Catalogue::sources`].
    pub fn with_folder(&mut self, folder: &str, texts: BTreeMap<String, String>) -> Result<(), Vec<Diagnostic>> {
        let known = Known { folder, drivers: &self.drivers, adapters: &self.adapters };
        let file = check::read(&known, &texts, &mut self.sources)?;
        let adapter = assemble(file, texts, &self.adapters);
        self.adapters.insert(adapter.file.name.clone(), Arc::new(adapter));
        Ok(())
    }

    /// The adapter by this name.
    pub fn get(&self, name: &str) -> Option<&Arc<Adapter>> {
        self.adapters.get(name)
    }

    /// All names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.adapters.keys().map(String::as_str)
    }

    /// All adapters, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Adapter>> {
        self.adapters.values()
    }

    /// The texts that complaints point into.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }
}

/// Gathers a folder's texts by their path in it.
fn collect(root: &Dir<'_>, folder: &Dir<'_>, texts: &mut BTreeMap<String, String>) {
    for file in folder.files() {
        let path = file.path().strip_prefix(root.path()).unwrap_or(file.path());
        if let Some(text) = file.contents_utf8() {
            texts.insert(path.to_string_lossy().into_owned(), text.to_owned());
        }
    }
    for folder in folder.dirs() {
        collect(root, folder, texts);
    }
}

/// The adapter of a checked file, with what it takes from the one it is based on, and the hash over all of it.
fn assemble(
    mut file: AdapterFile,
    mut texts: BTreeMap<String, String>,
    others: &BTreeMap<String, Arc<Adapter>>,
) -> Adapter {
    let mut hash = Sha256::new();
    if let Some(own) = texts.remove(FILE) {
        add(&mut hash, FILE, &own);
    }
    if let Some(other) = file.based_on.as_ref().and_then(|name| others.get(name)) {
        add(&mut hash, &other.file.name, &other.hash);
        for (name, text) in &other.texts {
            texts.entry(name.clone()).or_insert_with(|| text.clone());
        }
        inherit(&mut file, &other.file);
    }
    for (name, text) in &texts {
        add(&mut hash, name, text);
    }
    let hash = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Adapter { file, texts, hash }
}

/// Gives an adapter's file what the one that it is based on has and it does not give: each tuning parameter, each workload as
/// a whole (a query that it leaves out is one that it can't ask), and the lists and words that are empty.
fn inherit(file: &mut AdapterFile, other: &AdapterFile) {
    for (name, parameter) in &other.tuning {
        file.tuning.entry(name.clone()).or_insert_with(|| parameter.clone());
    }
    for (name, part) in &other.workloads {
        file.workloads.entry(name.clone()).or_insert_with(|| part.clone());
    }
    if file.types.is_empty() {
        file.types.clone_from(&other.types);
    }
    if file.write_methods.is_empty() {
        file.write_methods.clone_from(&other.write_methods);
    }
    if file.durability.is_none() {
        file.durability.clone_from(&other.durability);
    }
}

/// Adds a file to the hash so that no two sets of files have the same bytes.
fn add(hash: &mut Sha256, name: &str, text: &str) {
    for part in [name, text] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
}
