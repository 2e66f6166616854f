//! Databases in containers, through the Docker Engine's API.
//!
//! It must not know suites or trials. Invariant: everything made carries the run's labels, is removed when a start fails, and
//! is found again by its labels alone.

mod archive;
mod connect;
mod image;
mod instance;
mod logs;
mod meter;
mod provisioner;
mod recipe;
mod remove;
mod volume;

pub use connect::{Address, AddressError};
pub use image::Progress;
pub use provisioner::DockerProvisioner;
