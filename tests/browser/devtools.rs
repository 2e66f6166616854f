//! Drives headless Chromium through its DevTools: opens a page, lists what it asked for, evaluates, takes pictures.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// How long the browser may take for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser that can resolve no host name, with one page.
pub(crate) struct Browser {
    process: Child,
    profile: PathBuf,
    socket: WebSocket<TcpStream>,
    session: String,
    next: u64,
    /// The addresses that pages have asked for so far.
    pub(crate) requests: Vec<String>,
    loaded: bool,
}

impl Browser {
    /// Starts it with an empty profile below `folder`.
    pub(crate) fn start(folder: &Path) -> Self {
        let profile = folder.join("profile");
        std::fs::create_dir_all(&profile).unwrap();
        let process = Command::new(program())
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-port=0", "--hide-scrollbars"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Chromium is installed by scripts/setup-test-host");
        let (port, path) = address(&profile);
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(format!("ws://127.0.0.1:{port}{path}"), stream).unwrap();
        let mut browser =
            Browser { process, profile, socket, session: String::new(), next: 0, requests: Vec::new(), loaded: false };
        let target = browser.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        browser.session = browser.call("Target.attachToTarget", &attach)["sessionId"].as_str().unwrap().to_owned();
        browser.call("Network.enable", &json!({}));
        browser.call("Page.enable", &json!({}));
        browser
    }

    /// Sets the window's size in CSS pixels and the colour scheme.
    pub(crate) fn window(&mut self, width: u32, height: u32, dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", &size);
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", &media);
    }

    /// Opens a file and waits until it has loaded.
    pub(crate) fn open(&mut self, file: &Path) {
        self.loaded = false;
        self.call("Page.navigate", &json!({ "url": format!("file://{}", file.display()) }));
        while !self.loaded {
            self.receive();
        }
    }

    /// The value of a JavaScript expression.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", &asked);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Writes a picture of the window.
    pub(crate) fn picture(&mut self, to: &Path) {
        let answer = self.call("Page.captureScreenshot", &json!({ "format": "png" }));
        let bytes = base64::prelude::BASE64_STANDARD.decode(answer["data"].as_str().unwrap()).unwrap();
        std::fs::write(to, bytes).unwrap();
    }

    /// Calls a method and waits for its answer.
    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let answer = self.receive();
            if answer["id"] == json!(id) {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The next message, its events noted.
    fn receive(&mut self) -> Value {
        let message = self.socket.read().unwrap();
        let value: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
        match value["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                self.requests.push(value["params"]["request"]["url"].as_str().unwrap().to_owned());
            }
            Some("Page.loadEventFired") => self.loaded = true,
            _ => {}
        }
        value
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Debian calls it chromium, Ubuntu chromium-browser.
fn program() -> &'static str {
    let found = |name: &str| {
        std::env::split_paths(&std::env::var_os("PATH").unwrap()).any(|folder| folder.join(name).is_file())
    };
    if found("chromium") { "chromium" } else { "chromium-browser" }
}

/// The port and path that the browser wrote down when it began to listen.
fn address(profile: &Path) -> (u16, String) {
    let begun = Instant::now();
    loop {
        let text = std::fs::read_to_string(profile.join("DevToolsActivePort")).unwrap_or_default();
        if let Some((port, path)) = text.trim().split_once('\n') {
            return (port.parse().unwrap(), path.to_owned());
        }
        assert!(begun.elapsed() < PATIENCE, "Chromium did not begin to listen");
        std::thread::sleep(Duration::from_millis(50));
    }
}
