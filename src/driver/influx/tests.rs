//! Faults from a scripted server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::Influx;
use crate::driver::encode::fixtures::{mixed_batch, mixed_schema};
use crate::driver::error::ErrorClass;
use crate::driver::protocol::{Driver, Session};
use crate::driver::types::{Answer, Cell, Endpoint, SessionOptions};

/// What the server does with one request.
enum Act {
    /// Answers so.
    Say(String),
    /// Says so and closes the connection.
    Cut(&'static str),
    /// Says nothing.
    Sleep,
}

fn stored() -> Act {
    says("204 No Content", "")
}

fn says(status: &str, body: &str) -> Act {
    Act::Say(format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
}

/// A server that does these things in order, one a request, over however many connections; and how many there were.
async fn scripted(acts: Vec<Act>) -> (Endpoint, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    tokio::spawn(async move {
        let mut acts = acts.into_iter();
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::Relaxed);
            loop {
                if !read_request(&mut stream).await {
                    break;
                }
                match acts.next() {
                    Some(Act::Say(text)) => stream.write_all(text.as_bytes()).await.unwrap(),
                    Some(Act::Cut(text)) => {
                        stream.write_all(text.as_bytes()).await.unwrap();
                        break;
                    }
                    Some(Act::Sleep) | None => tokio::time::sleep(Duration::from_secs(30)).await,
                }
            }
        }
    });
    (Endpoint { hosts: vec![("127.0.0.1".to_owned(), port)], ..Endpoint::default() }, connections)
}

/// Reads one request; false at the connection's end.
async fn read_request(stream: &mut tokio::net::TcpStream) -> bool {
    let (mut text, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        let whole = String::from_utf8_lossy(&text).into_owned();
        if let Some((head, body)) = whole.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return true;
            }
        }
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return false,
            Ok(count) => text.extend_from_slice(&chunk[..count]),
        }
    }
}

async fn session(endpoint: &Endpoint) -> Box<dyn Session> {
    let short = Duration::from_millis(200);
    let schema = Some(Arc::new(mixed_schema()));
    let options = SessionOptions { schema, write_timeout: short, query_timeout: short, ..SessionOptions::default() };
    Influx.connect(endpoint, &options).await.unwrap()
}

#[tokio::test]
async fn one_connection_serves_a_session_and_chunks_are_read_whole() {
    let parts = [r#"{"results":[{"series":[{"columns":["time","v"],"#, r#""values":[[1,2.5]]}]}]}"#, ""];
    let chunks: Vec<String> = parts.iter().map(|part| format!("{:x}\r\n{part}\r\n", part.len())).collect();
    let chunked = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{}", chunks.concat());
    let (endpoint, connections) = scripted(vec![stored(), Act::Say(chunked), stored()]).await;
    let mut session = session(&endpoint).await;
    session.encode(&mixed_batch()).unwrap();
    assert_eq!(session.write().await.unwrap().ok_points, 17);
    let mut answer = Answer::default();
    session.query("SELECT v FROM g", &mut answer).await.unwrap();
    assert_eq!(answer.rows, [[Cell::Integer(1), Cell::Float(2.5)]]);
    assert_eq!(session.write().await.unwrap().ok_points, 17);
    assert_eq!(connections.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_a_lost_connection_and_the_next_request_opens_another() {
    let broken = Act::Cut("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"results\":[");
    let (endpoint, connections) = scripted(vec![broken, Act::Cut("HTTP/1.1 204 No Con"), stored()]).await;
    let mut session = session(&endpoint).await;
    let cut = session.query("SELECT v FROM g", &mut Answer::default()).await.unwrap_err();
    assert_eq!(cut.class, ErrorClass::LostConnection, "{cut}");
    session.encode(&mixed_batch()).unwrap();
    let cut = session.write().await.unwrap_err();
    assert_eq!(cut.class, ErrorClass::LostConnection, "{cut}");
    assert_eq!(session.write().await.unwrap().ok_points, 17);
    assert_eq!(connections.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn a_slow_answer_is_a_timeout_in_time() {
    let (endpoint, _) = scripted(vec![Act::Sleep]).await;
    let mut session = session(&endpoint).await;
    let began = Instant::now();
    let late = session.query("SELECT v FROM g", &mut Answer::default()).await.unwrap_err();
    assert_eq!((late.class, late.message.as_str()), (ErrorClass::Timeout, "/query: no whole answer within 200ms"));
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_200_with_an_error_in_its_body_is_a_failure() {
    let (asked, written) = (r#"{"results":[{"statement_id":0,"error":"no such"}]}"#, r#"{"error":"full"}"#);
    let (endpoint, _) = scripted(vec![says("200 OK", asked), says("200 OK", written)]).await;
    let mut session = session(&endpoint).await;
    let inside = session.query("SELECT v FROM g", &mut Answer::default()).await.unwrap_err();
    assert_eq!((inside.class, inside.message.as_str()), (ErrorClass::Rejected, "no such"));
    session.encode(&mixed_batch()).unwrap();
    let inside = session.write().await.unwrap_err();
    assert_eq!((inside.class, inside.message.as_str()), (ErrorClass::Rejected, "full"));
}

#[tokio::test]
async fn parts_after_a_stored_one_that_fail_are_counted_as_failed() {
    let (endpoint, _) = scripted(vec![stored(), says("503 Service Unavailable", "")]).await;
    let options = SessionOptions {
        schema: Some(Arc::new(mixed_schema())),
        max_request_bytes: Some(100),
        ..SessionOptions::default()
    };
    let mut session = Influx.connect(&endpoint, &options).await.unwrap();
    session.encode(&mixed_batch()).unwrap();
    let written = session.write().await.unwrap();
    assert_eq!((written.ok_points, written.failed_points), (5, 12));
    assert_eq!(written.error.unwrap().class, ErrorClass::Transient);
}

#[tokio::test]
async fn tls_is_refused_by_name() {
    let endpoint = Endpoint { tls: true, ..Endpoint::default() };
    let refused = Influx.connect(&endpoint, &SessionOptions::default()).await.err().unwrap();
    assert!(refused.class == ErrorClass::Refused && refused.message.contains("does not speak TLS"), "{refused}");
}
