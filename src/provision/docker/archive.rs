//! Files as a tar archive, the form in which the daemon takes them.
//!
//! It must not touch the file system. Invariant: files belong to root, are readable by all, and carry no time.

use crate::provision::types::ProvisionError;

const BLOCK: usize = 512;

/// A POSIX archive of files, each with its absolute path.
///
/// # Errors
/// When a path is longer than the format takes.
pub(super) fn archive(files: &[(String, String)]) -> Result<Vec<u8>, ProvisionError> {
    let mut bytes = Vec::new();
    for (path, text) in files {
        let header = header(path.trim_start_matches('/'), text.len()).ok_or_else(|| ProvisionError::Other {
            step: "config files".to_owned(),
            cause: format!("the path {path} is too long"),
        })?;
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(text.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
    }
    bytes.resize(bytes.len() + 2 * BLOCK, 0);
    Ok(bytes)
}

fn header(path: &str, size: usize) -> Option<[u8; BLOCK]> {
    let mut block = [0; BLOCK];
    let (prefix, name) = divided(path)?;
    put(&mut block, 0, name);
    put(&mut block, 100, "0000644");
    put(&mut block, 108, "0000000");
    put(&mut block, 116, "0000000");
    put(&mut block, 124, &format!("{size:011o}"));
    put(&mut block, 136, "00000000000");
    put(&mut block, 148, "        ");
    put(&mut block, 156, "0");
    put(&mut block, 257, "ustar\u{0}00");
    put(&mut block, 345, prefix);
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    put(&mut block, 148, &format!("{sum:06o}\u{0}"));
    Some(block)
}

/// A path as prefix and name: at most 155 and 100 bytes, divided at a slash.
fn divided(path: &str) -> Option<(&str, &str)> {
    if path.len() <= 100 {
        return Some(("", path));
    }
    let at = path.match_indices('/').map(|(at, _)| at).find(|at| path.len() - at - 1 <= 100)?;
    (at <= 155).then(|| (&path[..at], &path[at + 1..]))
}

fn put(block: &mut [u8; BLOCK], at: usize, text: &str) {
    block[at..at + text.len()].copy_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use super::*;

    /// What the system's own tar says of an archive.
    fn listed(bytes: &[u8]) -> String {
        let mut tar = Command::new("tar");
        let mut child = tar.arg("-tvf-").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn tar_lists_the_files_with_size_and_owner() {
        let long = format!("/{}/{}", "folder/".repeat(20).trim_end_matches('/'), "n".repeat(60));
        let files = [("/etc/a.conf".to_owned(), "x".repeat(513)), (long.clone(), String::new())];
        let listed = listed(&archive(&files).unwrap());
        let lines: Vec<&str> = listed.lines().collect();
        assert!(
            lines[0].starts_with("-rw-r--r-- 0/0") && lines[0].contains(" 513 ") && lines[0].ends_with(" etc/a.conf")
        );
        assert!(lines[1].ends_with(&long[1..]));
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn a_path_that_does_not_fit_is_an_error() {
        assert!(archive(&[(format!("/{}", "n".repeat(101)), String::new())]).is_err());
    }
}
