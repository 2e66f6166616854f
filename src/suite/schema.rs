//! The JSON Schema of suites, for editors, made from the table of keys and the workloads' parameters.
//!
//! It must not describe a key by itself. Invariant: the same tables give the same text.

use serde_json::{Map, Value, json};

use super::fields::{Field, SCENARIO, SUITE, Shape, TARGET, Table, Word};
use super::known::Known;
use crate::workload::kind::{ParameterRole, ParameterSpec, WorkloadKind};

/// The schema, as draft 2020-12. It is a little more lenient than the reader: what is missing in a suite that extends another
/// is no mistake.
pub fn schema(known: &Known) -> Value {
    let mut definitions = Map::new();
    let suite = table(&SUITE, &mut definitions);
    let adapters: Vec<&str> = known.adapters.iter().map(|adapter| adapter.name.as_str()).collect();
    definitions.insert("adapter".to_owned(), json!({ "description": "An adapter's name.", "examples": adapters }));
    for kind in &known.kinds {
        definitions.insert(format!("workload-{}", kind.name()), parameters(*kind));
    }
    definitions.insert("workload".to_owned(), workload(&known.kinds));
    let mut root = Map::new();
    root.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    root.insert("title".to_owned(), json!("Velodrome suite"));
    root.extend(suite);
    root.insert("$defs".to_owned(), Value::Object(definitions));
    Value::Object(root)
}

fn table(table: &'static Table, definitions: &mut Map<String, Value>) -> Map<String, Value> {
    let mut properties = Map::new();
    for field in table.fields {
        properties.insert(field.name.to_owned(), property(table, field, definitions));
    }
    let mut schema = Map::new();
    schema.insert("description".to_owned(), json!(table.about));
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("additionalProperties".to_owned(), json!(false));
    let required: Vec<&str> = table.fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    if std::ptr::eq(table, &SUITE) {
        schema.insert("anyOf".to_owned(), json!([{ "required": ["extends"] }, { "required": required }]));
    } else if std::ptr::eq(table, &TARGET) {
        schema.insert("anyOf".to_owned(), json!([{ "required": ["name"] }, { "required": ["adapter"] }]));
    } else if std::ptr::eq(table, &SCENARIO) {
        schema.insert("required".to_owned(), json!(["name"]));
    } else if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

fn property(owner: &'static Table, field: &'static Field, definitions: &mut Map<String, Value>) -> Value {
    let names_adapter = std::ptr::eq(owner, &TARGET) && field.name == "adapter";
    let mut schema = match shape(&field.shape, definitions) {
        Value::Object(schema) => schema,
        other => return other,
    };
    if names_adapter {
        schema.insert("$ref".to_owned(), json!("#/$defs/adapter"));
    }
    let about = match field.default {
        Some(default) => format!("{} Default: {default}.", field.about),
        None => field.about.to_owned(),
    };
    schema.insert("description".to_owned(), json!(about));
    Value::Object(schema)
}

fn shape(shape: &'static Shape, definitions: &mut Map<String, Value>) -> Value {
    match shape {
        Shape::Text | Shape::Value => json!({ "type": ["string", "number", "boolean"] }),
        Shape::Path => json!({ "type": "string" }),
        Shape::Integer(least) => json!({ "type": ["number", "string"], "minimum": least }),
        Shape::Number => json!({ "type": ["number", "string"] }),
        Shape::Switch => json!({ "enum": [true, false, "on", "off", "yes", "no"] }),
        Shape::Duration => text(r"^0$|^([0-9][0-9_.]*(ns|us|µs|ms|s|min|m|h|d|w))+$|\{\{"),
        Shape::Size => text(r"^[0-9][0-9_.]* ?([kKMGT]i?B|B)?$"),
        Shape::Share => text(r"^[0-9][0-9_.]*%?$"),
        Shape::Rate => text(r"^[0-9][0-9_.]*[kMG]?/(s|m|min|h)$|\{\{"),
        Shape::Words(words) => one_of(words),
        Shape::WordList(words) => json!({ "type": "array", "items": one_of(words) }),
        Shape::List(inner) => json!({ "type": "array", "items": self::shape(inner, definitions) }),
        Shape::OneOrMore(inner) => {
            let one = self::shape(inner, definitions);
            json!({ "anyOf": [one, { "type": "array", "items": one }] })
        }
        Shape::Map(inner) => reference(inner, definitions),
        Shape::Entries { key, value } => {
            let value = self::shape(value, definitions);
            let names = json!({ "description": format!("A key is {key}.") });
            json!({ "type": "object", "propertyNames": names, "additionalProperties": value })
        }
        Shape::Either(shapes) => {
            let all: Vec<Value> = shapes.iter().map(|inner| self::shape(inner, definitions)).collect();
            json!({ "anyOf": all })
        }
        Shape::Workload => json!({ "$ref": "#/$defs/workload" }),
    }
}

fn text(pattern: &str) -> Value {
    json!({ "type": ["string", "number"], "pattern": pattern })
}

fn one_of(words: &[Word]) -> Value {
    let all: Vec<Value> = words.iter().map(|(word, about)| json!({ "const": word, "description": about })).collect();
    json!({ "oneOf": all })
}

/// A reference to a table's definition, which is made where it is not there yet. Where nothing must be given, nothing may be.
fn reference(inner: &'static Table, definitions: &mut Map<String, Value>) -> Value {
    if !definitions.contains_key(inner.id) {
        // Held while it is made, so that a table that holds itself would end.
        definitions.insert(inner.id.to_owned(), Value::Null);
        let schema = table(inner, definitions);
        definitions.insert(inner.id.to_owned(), Value::Object(schema));
    }
    let reference = json!({ "$ref": format!("#/$defs/{}", inner.id) });
    if inner.fields.iter().any(|field| field.required) {
        return reference;
    }
    json!({ "anyOf": [reference, { "type": "null" }] })
}

fn workload(kinds: &[&'static dyn WorkloadKind]) -> Value {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    let mut properties = Map::new();
    for name in &names {
        let parameters = json!({ "$ref": format!("#/$defs/workload-{name}") });
        properties.insert((*name).to_owned(), json!({ "anyOf": [parameters, { "type": "null" }] }));
    }
    let one = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1,
    });
    json!({ "anyOf": [{ "enum": names }, one] })
}

/// The parameters of a workload, in capitals and in lower case.
fn parameters(kind: &dyn WorkloadKind) -> Value {
    let mut properties = Map::new();
    for spec in kind.parameters().iter().filter(|spec| spec.role != ParameterRole::Connection) {
        let other_names = spec.aliases.iter().copied().map(str::to_owned);
        let lower = std::iter::once(spec.name).chain(spec.aliases.iter().copied()).map(str::to_lowercase);
        let same = json!({ "$ref": format!("#/$defs/workload-{}/properties/{}", kind.name(), spec.name) });
        properties.extend(other_names.chain(lower).map(|name| (name, same.clone())));
        properties.insert(spec.name.to_owned(), parameter(spec));
    }
    json!({
        "description": format!("The parameters of the workload `{}`.", kind.name()),
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

fn parameter(spec: &ParameterSpec) -> Value {
    let mut about = format!("{} Type: {}.", spec.about, spec.kind);
    if let Some(default) = spec.default.filter(|default| !default.is_empty()) {
        about.push_str(&format!(" Default: {default}."));
    }
    let deprecated = match spec.role {
        ParameterRole::SuitePath(path) => {
            about = format!("The same value as `{path}`. Type: {}.", spec.kind);
            false
        }
        ParameterRole::NoEffect(why) => {
            about = format!("Has no effect: {why}.");
            true
        }
        ParameterRole::Unsupported(why) => {
            about = format!("Not supported yet: {why}.");
            true
        }
        _ => false,
    };
    let mut schema = json!({ "type": ["string", "number", "boolean"], "description": about });
    if let (true, Value::Object(schema)) = (deprecated, &mut schema) {
        schema.insert("deprecated".to_owned(), json!(true));
    }
    schema
}
