//! Faults from a scripted server.

use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use super::Postgres;
use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::protocol::Driver;
use crate::driver::types::{Endpoint, SessionOptions};

/// What connecting to a server says that takes the connection and then keeps it or closes it.
async fn connecting(keeps: bool) -> DriverError {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.read(&mut [0; 1024]).await;
        if keeps {
            tokio::time::sleep(Duration::from_secs(30)).await;
        }
    });
    let endpoint = Endpoint { hosts: vec![("127.0.0.1".to_owned(), port)], ..Endpoint::default() };
    let options = SessionOptions { connect_timeout: Duration::from_millis(200), ..SessionOptions::default() };
    Postgres.connect(&endpoint, &options).await.err().unwrap()
}

#[tokio::test]
async fn a_server_that_hangs_up_is_a_lost_connection() {
    let lost = connecting(false).await;
    assert!(lost.class == ErrorClass::LostConnection && lost.message.starts_with("127.0.0.1:"), "{lost}");
}

#[tokio::test]
async fn a_server_that_says_nothing_is_a_timeout_in_time() {
    let began = Instant::now();
    assert_eq!(connecting(true).await.class, ErrorClass::Timeout);
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn what_is_not_known_is_refused_by_name() {
    let endpoint = Endpoint { tls: true, ..Endpoint::default() };
    let refused = Postgres.connect(&endpoint, &SessionOptions::default()).await.err().unwrap();
    assert!(refused.class == ErrorClass::Refused && refused.message.contains("does not speak TLS"), "{refused}");
    let options = SessionOptions { write_method: Some("telepathy".to_owned()), ..SessionOptions::default() };
    let refused = Postgres.connect(&Endpoint::default(), &options).await.err().unwrap();
    assert_eq!(refused.message, "there is no write method telepathy; there are copy, insert");
}
