//! Templates: the one environment that all texts of adapters are rendered in, strict about names that nothing defines.
//!
//! It must not know what a template is for. Invariant: rendering is a pure function of template and values.

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior};

use super::types::Adapter;

/// A template that could not be rendered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("template {template}{}: {message}", line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct RenderError {
    /// The template: a file of the adapter's folder, or what the text is for.
    pub template: String,
    /// The line in it, from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl RenderError {
    /// What minijinja says of a template, in one line.
    pub(super) fn of(template: &str, error: &Error) -> Self {
        let kind = error.kind().to_string();
        let message = error.detail().map_or_else(|| kind.clone(), |detail| format!("{kind}: {detail}"));
        let name = error.name().filter(|name| *name != "<string>" && *name != "<expression>");
        RenderError { template: name.unwrap_or(template).to_owned(), line: error.line(), message }
    }

    /// Something of the adapter that is not there.
    pub(super) fn missing(template: &str, message: impl Into<String>) -> Self {
        RenderError { template: template.to_owned(), line: None, message: message.into() }
    }
}

static BARE: LazyLock<Environment<'static>> = LazyLock::new(environment);

/// Renders a text over `context`, a map of values. `what` names the text in errors.
///
/// # Errors
/// A syntax error, or a name that the context does not have.
pub fn render(what: &str, template: &str, context: &Value) -> Result<String, RenderError> {
    if !template.contains('{') {
        return Ok(template.to_owned());
    }
    BARE.render_str(template, context.clone()).map_err(|error| RenderError::of(what, &error))
}

/// Evaluates an expression over `context` and says whether it is true.
///
/// # Errors
/// As [`render`].
pub(super) fn is_true(expression: &str, context: &Value) -> Result<bool, RenderError> {
    let value = BARE.compile_expression(expression).and_then(|compiled| compiled.eval(context.clone()));
    value.map(|value| value.is_true()).map_err(|error| RenderError::of(expression, &error))
}

/// Whether a text is a good template; else the error.
pub(super) fn check(text: &str) -> Result<(), Error> {
    BARE.template_from_str(text).map(|_| ())
}

/// Whether a text is a good expression; else the error.
pub(super) fn check_expression(text: &str) -> Result<(), Error> {
    BARE.compile_expression(text).map(|_| ())
}

/// An environment that holds the adapter's files, so that they can be rendered and include one another.
///
/// # Errors
/// A syntax error in a file.
pub(super) fn environment_of(adapter: &Adapter) -> Result<Environment<'static>, RenderError> {
    let mut environment = environment();
    for (name, text) in &adapter.texts {
        let added = environment.add_template_owned(name.clone(), text.clone());
        added.map_err(|error| RenderError::of(name, &error))?;
    }
    Ok(environment)
}

/// The statements of a rendered file: divided by lines of `---`, empty ones left out.
pub(super) fn statements(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in text.lines() {
        if line.trim() == "---" {
            all.push(String::new());
        } else if let Some(last) = all.last_mut() {
            last.push_str(line);
            last.push('\n');
        }
    }
    all.iter().map(|statement| statement.trim().trim_end_matches(';').to_owned()).filter(|s| !s.is_empty()).collect()
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    // A line that holds only a block leaves none in the text. It can't fail: the delimiters are the default ones.
    if let Ok(syntax) = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build() {
        environment.set_syntax(syntax);
    }
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    // Error texts are made from the error alone; a copy of all state would only cost.
    environment.set_debug(false);
    environment.add_filter("sql_text", |text: &str| quoted(text, '\'', "''", false));
    environment.add_filter("sql_name", |text: &str| quoted(text, '"', "\"\"", false));
    environment.add_filter("influx_text", |text: &str| quoted(text, '\'', "\\'", true));
    environment.add_filter("influx_name", |text: &str| quoted(text, '"', "\\\"", true));
    environment.add_filter("major", major);
    environment
}

/// The text in quotes; quotes in it (and backslashes, where they escape) are escaped.
fn quoted(text: &str, quote: char, escaped: &str, backslashes: bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' if backslashes => out.push_str("\\\\"),
            c if c == quote => out.push_str(escaped),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// The number that a version begins with; 0 where it does not begin with one.
fn major(version: &str) -> u64 {
    version.split(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use minijinja::context;

    use super::*;

    #[test]
    fn an_undefined_name_is_an_error_that_says_where() {
        let error = render("the image", "postgres:\n{{ verison }}", &context! { version => "17" }).unwrap_err();
        assert_eq!((error.template.as_str(), error.line), ("the image", Some(2)));
        assert!(error.to_string().starts_with("template the image, line 2: undefined value"), "{error}");
    }

    #[test]
    fn quotes_end_no_text() {
        let context = context! { t => "it's \\ \"so\"" };
        let shown = render("t", "{{ t|sql_text }} {{ t|sql_name }} {{ t|influx_text }} {{ t|influx_name }}", &context);
        assert_eq!(shown.unwrap(), r#"'it''s \ "so"' "it's \ ""so""" 'it\'s \\ "so"' "it's \\ \"so\"""#);
    }

    #[test]
    fn a_line_with_only_a_block_leaves_none() {
        let shown = render("t", "a\n  {% for i in [1, 2] %}\n{{ i }}\n  {% endfor %}\nb", &context! {}).unwrap();
        assert_eq!(shown, "a\n1\n2\nb");
    }

    #[test]
    fn statements_are_divided_by_lines_of_dashes() {
        assert_eq!(statements("a;\n---\n\n  \n---\nb\nc ;\n"), ["a", "b\nc "]);
    }

    #[test]
    fn versions_begin_with_their_major_number() {
        assert_eq!(render("v", "{{ '17.2-alpine'|major + 1 }}", &context! {}).unwrap(), "18");
    }
}
