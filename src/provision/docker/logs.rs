//! A container's log.
//!
//! It must not interpret it. Invariant: lines come in the order in which they were written, standard error among them.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use bollard::Docker;
use bollard::query_parameters::LogsOptionsBuilder;
use futures_util::StreamExt;

use super::connect::refused;
use crate::provision::types::ProvisionError;

/// How many last lines are told.
const LAST: usize = 20;
/// A longer line is cut there when it is told.
const LINE: usize = 500;

/// The last lines; empty where they can't be had.
pub(super) async fn last_words(docker: &Docker, id: &str) -> Vec<String> {
    let options = LogsOptionsBuilder::new().stdout(true).stderr(true).tail(&LAST.to_string()).build();
    let mut lines = VecDeque::new();
    let mut log = std::pin::pin!(docker.logs(id, Some(options)));
    while let Some(Ok(piece)) = log.next().await {
        keep(&mut lines, &piece.to_string());
    }
    lines.into()
}

/// Writes the whole log to a file; answers the last lines.
pub(super) async fn save(docker: &Docker, id: &str, to: &Path) -> Result<Vec<String>, ProvisionError> {
    let broken = |error: std::io::Error| ProvisionError::Other {
        step: format!("log to {}", to.display()),
        cause: error.to_string(),
    };
    let mut file = BufWriter::new(File::create(to).map_err(broken)?);
    let options = LogsOptionsBuilder::new().stdout(true).stderr(true).timestamps(true).tail("all").build();
    let mut lines = VecDeque::new();
    let mut log = std::pin::pin!(docker.logs(id, Some(options)));
    while let Some(piece) = log.next().await {
        let piece = piece.map_err(|error| refused("log", &error))?;
        file.write_all(piece.as_ref()).map_err(broken)?;
        let text = piece.to_string();
        keep(&mut lines, text.split_once(' ').map_or("", |(_time, line)| line));
    }
    file.flush().map_err(broken)?;
    Ok(lines.into())
}

fn keep(lines: &mut VecDeque<String>, piece: &str) {
    for line in piece.lines().filter(|line| !line.trim().is_empty()) {
        if lines.len() == LAST {
            lines.pop_front();
        }
        lines.push_back(line.chars().take(LINE).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_and_long_ones_cut() {
        let mut lines = VecDeque::new();
        for number in 0..30 {
            keep(&mut lines, &format!("line {number}\n\n"));
        }
        keep(&mut lines, &"x".repeat(1000));
        assert_eq!((lines.len(), lines[0].as_str(), lines[19].len()), (LAST, "line 11", LINE));
    }
}
