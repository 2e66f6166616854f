//! The databases that this run has brought up: at most one of them awake, the one under test.
//!
//! It must not know what a trial measures. Invariant: everything brought up here is removed here, whatever happens before.

use std::collections::BTreeMap;

use super::world::{TargetParts, World};
use crate::provision::databases::Databases;
use crate::provision::types::{Instance, Place, ProvisionError, Request};

/// What lies in one database of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dataset {
    /// The database's name.
    pub database: String,
    /// The cases whose writes it holds, in order; empty: it was made and nothing was written.
    pub loaded: Vec<String>,
    /// The points that it held at the last count.
    pub stored: Option<u64>,
    /// Why nobody can stand on it; none: all is well.
    pub broken: Option<String>,
}

impl Dataset {
    /// A database with nothing in it.
    pub fn new(database: &str) -> Self {
        Dataset { database: database.to_owned(), ..Dataset::default() }
    }
}

/// One database server, or embedded database, that was brought up.
pub struct Held {
    /// The target's name.
    pub target: String,
    /// How it was started.
    pub how: How,
    /// The instance.
    pub instance: Box<dyn Instance>,
    /// Whether it runs.
    pub awake: bool,
    /// Whether it was ready since it last woke.
    pub ready: bool,
    /// Whether the tuning values that a running server takes were sent.
    pub tuned: bool,
    /// The version that it says.
    pub version: Option<String>,
    /// The run's databases on it, once they were asked for.
    pub databases: Option<Databases>,
    /// The data in it, by the loading case's id.
    pub data: BTreeMap<String, Dataset>,
}

/// How an instance is started: one that was started alike can be used again.
#[derive(Clone, Debug, PartialEq)]
pub struct How {
    /// Where.
    pub place: Place,
    /// Tuning values that only a start applies.
    pub tuning: BTreeMap<String, String>,
}

/// All that was brought up.
pub struct Stage<'a> {
    world: &'a World,
    held: Vec<Held>,
    started: u32,
}

impl<'a> Stage<'a> {
    /// Nothing yet.
    pub fn new(world: &'a World) -> Self {
        Stage { world, held: Vec::new(), started: 0 }
    }

    /// The instance that holds the data under a loading case, if any does.
    pub fn holding(&mut self, target: &str, root: &str) -> Option<&mut Held> {
        self.held.iter_mut().find(|held| held.target == target && held.data.contains_key(root))
    }

    /// The instance of a target that is awake.
    pub fn awake(&mut self, target: &str) -> Option<&mut Held> {
        self.held.iter_mut().find(|held| held.target == target && held.awake)
    }

    /// Wakes the instance that holds the data under a loading case, or else one that was started alike, or else brings up a
    /// new one; all others sleep. `fresh` wants a new one in any case, apart from data that is wanted. An instance that is
    /// not wanted any more makes room; `wanted` says so of the data under a loading case.
    ///
    /// # Errors
    /// When something does not start or stop.
    pub async fn enter(
        &mut self,
        parts: &TargetParts,
        how: How,
        root: &str,
        fresh: bool,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<&mut Held, ProvisionError> {
        let name = &parts.target.name;
        self.bury(name).await;
        // One that holds the data is taken whatever else is asked for, unless that data is to be made anew.
        let holds = |held: &Held| held.target == *name && held.data.contains_key(root);
        let alike = |held: &Held| held.target == *name && held.how == how;
        let found = match self.held.iter().position(holds) {
            Some(at) if !fresh => Some(at),
            _ if fresh => None,
            _ => self.held.iter().position(alike),
        };
        let at = match found {
            Some(at) => at,
            None => {
                self.make_room(name, root, fresh, &wanted).await?;
                self.sleep_but(None).await?;
                self.start(parts, how).await?;
                self.held.len() - 1
            }
        };
        self.sleep_but(Some(at)).await?;
        let held = &mut self.held[at];
        if !held.awake {
            held.instance.resume().await?;
            (held.awake, held.ready) = (true, false);
        }
        Ok(&mut self.held[at])
    }

    /// Removes what has died of a target, with the data that died with it.
    async fn bury(&mut self, target: &str) {
        let mut at = 0;
        while at < self.held.len() {
            let held = &self.held[at];
            let dead = held.awake
                && held.target == target
                && held.instance.life().await != crate::provision::types::Life::Running;
            if dead {
                let mut held = self.held.swap_remove(at);
                // What is left is removed by its label at the run's end.
                let _ = held.instance.remove().await;
            } else {
                at += 1;
            }
        }
    }

    /// Removes a target's instances that hold no data that is wanted.
    async fn make_room(
        &mut self,
        target: &str,
        root: &str,
        fresh: bool,
        wanted: &impl Fn(&str) -> bool,
    ) -> Result<(), ProvisionError> {
        let mut at = 0;
        while at < self.held.len() {
            let held = &self.held[at];
            let keep = held.data.keys().any(|held_root| !(fresh && held_root == root) && wanted(held_root));
            if held.target == target && !keep {
                let mut held = self.held.swap_remove(at);
                held.instance.remove().await?;
                continue;
            }
            if held.target == target && fresh {
                // It stays for other data; what is to be made anew elsewhere is not found here any more.
                self.held[at].data.remove(root);
            }
            at += 1;
        }
        Ok(())
    }

    async fn sleep_but(&mut self, awake: Option<usize>) -> Result<(), ProvisionError> {
        for (at, held) in self.held.iter_mut().enumerate() {
            if held.awake && Some(at) != awake {
                held.instance.pause().await?;
                held.awake = false;
            }
        }
        Ok(())
    }

    async fn start(&mut self, parts: &TargetParts, how: How) -> Result<(), ProvisionError> {
        self.started += 1;
        let request = Request {
            adapter: parts.adapter.clone(),
            target: parts.target.name.clone(),
            version: parts.target.version.clone(),
            place: how.place.clone(),
            tuning: how.tuning.clone(),
            label: self.world.label(),
            work: self.world.folder.path.join("work").join(format!("{:03}-{}", self.started, parts.target.name)),
        };
        let instance = parts.provisioner.start(&request).await?;
        self.held.push(Held {
            target: parts.target.name.clone(),
            how,
            instance,
            awake: true,
            ready: false,
            tuned: false,
            version: None,
            databases: None,
            data: BTreeMap::new(),
        });
        Ok(())
    }

    /// Removes the instances that hold no wanted data and that no trial to come will use again.
    ///
    /// # Errors
    /// When something is left; the others are removed first.
    pub async fn leave(&mut self, keep: impl Fn(&Held) -> bool) -> Result<(), ProvisionError> {
        let mut failed = None;
        let mut at = 0;
        while at < self.held.len() {
            if keep(&self.held[at]) {
                at += 1;
                continue;
            }
            let mut held = self.held.swap_remove(at);
            if let Err(error) = held.instance.remove().await {
                failed.get_or_insert(error);
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// All that is held.
    pub fn all(&mut self) -> &mut [Held] {
        &mut self.held
    }
}
