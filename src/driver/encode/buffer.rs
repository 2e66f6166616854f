//! The buffer that encoders write into: bytes and a length, grown before a row and then written without checks for room.
//!
//! It must not know what is written. Invariant: bytes below the length are what was written; those above are free.

/// How far a fixed-width write may run beyond what it keeps.
pub(super) const SLACK: usize = 64;

/// A reused buffer.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    length: usize,
}

impl Buffer {
    /// What has been written.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// How many bytes have been written.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Forgets what was written, keeping the memory.
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Makes room for `more` bytes and the slack of fixed-width writes.
    #[inline]
    pub(super) fn reserve(&mut self, more: usize) {
        let wanted = self.length + more + SLACK;
        if wanted > self.bytes.len() {
            self.bytes.resize(wanted.next_power_of_two(), 0);
        }
    }

    /// Makes room for `count` more bytes and takes them as written: the caller fills all of them.
    pub(super) fn grow(&mut self, count: usize) -> &mut [u8] {
        self.reserve(count);
        let start = self.length;
        self.length += count;
        &mut self.bytes[start..self.length]
    }

    /// Writes bytes for which there is room.
    #[inline]
    pub(super) fn push(&mut self, bytes: &[u8]) {
        // Blocks below 2 KiB: longer copies take a slow path of the C library on some processors.
        for block in bytes.chunks(1024) {
            self.bytes[self.length..self.length + block.len()].copy_from_slice(block);
            self.length += block.len();
        }
    }

    /// Writes one byte for which there is room.
    #[inline]
    pub(super) fn push_byte(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    /// Writes a fixed-width array, of which only the first `keep` bytes count.
    #[inline]
    pub(super) fn push_padded<const N: usize>(&mut self, bytes: &[u8; N], keep: usize) {
        self.bytes[self.length..self.length + N].copy_from_slice(bytes);
        self.length += keep;
    }

    /// Writes bytes wherever there is room or not.
    pub(super) fn append(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.push(bytes);
    }

    /// Overwrites bytes written before.
    pub(super) fn patch(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Takes back the last `count` bytes.
    pub(super) fn take_back(&mut self, count: usize) {
        self.length -= count;
    }
}
