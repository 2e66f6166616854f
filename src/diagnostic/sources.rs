//! How texts come in from outside: files are read at the rim, behind this trait.
//!
//! It must not know what a text means. Invariant: the pure core reads through it alone.

/// Gives the texts of files by path.
pub trait Sources {
    /// The whole text of a file.
    ///
    /// # Errors
    /// The system's words, such as `No such file or directory`.
    fn read(&self, path: &str) -> Result<String, String>;
    /// The path of `name` as seen from the folder of the file `from`; absolute names stay.
    fn resolve(&self, from: &str, name: &str) -> String {
        let name = name.trim_start_matches("./");
        match from.rsplit_once('/') {
            Some((folder, _)) if !name.starts_with('/') => format!("{folder}/{name}"),
            _ => name.to_owned(),
        }
    }
}
