//! The engine driven with scripted drivers, in process and without servers.

mod endings;
mod failures;
mod measuring;
mod pacing;
mod sameness;
mod scripted;
