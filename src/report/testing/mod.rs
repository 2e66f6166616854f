//! Journals made in code, for the tests of reports.

pub(crate) mod journal;
pub(crate) mod record;
