//! A few words of InfluxDB's HTTP, for tests that are not about the driver.

use std::io::{Read, Write};
use std::net::TcpStream;

use velodrome::driver::types::Endpoint;

/// Posts `body` to a path; the answer, where it is a good one.
pub(crate) fn post(endpoint: &Endpoint, path: &str, body: &str) -> Option<String> {
    let (host, port) = &endpoint.hosts[0];
    let mut stream = TcpStream::connect((host.as_str(), *port)).ok()?;
    let length = body.len();
    write!(stream, "POST {path} HTTP/1.0\r\nHost: x\r\nContent-Length: {length}\r\n\r\n{body}").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.starts_with("HTTP/1.0 20").then_some(answer)
}

/// What it answers to a query; none where it does not listen yet.
pub(crate) fn query(endpoint: &Endpoint, query: &str) -> Option<String> {
    post(endpoint, &format!("/query?q={}", query.replace(' ', "%20")), "")
}
