//! report.json: the model as it stands.
//!
//! It must not choose what to show. Invariant: docs/report-schema.json describes what is written here.

use super::model::report::ReportModel;

/// The model as JSON, indented, with a final newline.
pub(super) fn json(model: &ReportModel) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(model).map(|text| text + "\n")
}
