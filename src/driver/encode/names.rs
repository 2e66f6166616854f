//! Names of devices and values of tags as text, written row by row from numbers.
//!
//! They must not know a protocol's escapes: the schema's prefixes are plain. Invariant: equal to `Schema::device_name` and to
//! the tag's prefix with `Schema::tag_value`.

use super::buffer::Buffer;
use super::number::{NUMBER, push_integer};
use crate::workload::model::Schema;

/// Appends a device's name.
#[inline]
pub(super) fn push_device(out: &mut Buffer, schema: &Schema, device: u64) {
    out.reserve(schema.device_prefix.len() + NUMBER);
    out.push(schema.device_prefix.as_bytes());
    push_integer(out, device as i64);
}

/// Appends the value of tag `tag` of `table`.
pub(super) fn push_tag(out: &mut Buffer, schema: &Schema, table: u32, tag: usize, device: u64) {
    let prefix = &schema.tables[table as usize].tags[tag].value_prefix;
    out.reserve(prefix.len() + NUMBER);
    out.push(prefix.as_bytes());
    push_integer(out, schema.tag_value(table, tag, device) as i64);
}
