//! A client's session: encodes a batch once, sends it in as many requests as the server takes, and asks.
//!
//! It must not know when it is called. Invariant: the encode buffer is handed to the socket without a copy and taken back.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::answer;
use super::http::Http;
use super::split::parts;
use super::write::{self, Became};
use crate::driver::encode::buffer::Buffer;
use crate::driver::encode::line_protocol::LineProtocol;
use crate::driver::error::{DriverError, ErrorClass};
use crate::driver::protocol::Session;
use crate::driver::types::{Answer, Endpoint, SessionOptions, Written};
use crate::workload::batch::Batch;
use crate::workload::model::Precision;

/// A buffer that a request's body may share.
struct Lent(Arc<Buffer>);

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

pub(super) struct InfluxSession {
    http: Http,
    encoder: Option<LineProtocol>,
    buffer: Arc<Buffer>,
    /// Points and rows of what was encoded last.
    encoded: (u64, u64),
    max_request_bytes: usize,
    write_path: String,
    query_path: String,
    write_timeout: Duration,
    query_timeout: Duration,
}

impl InfluxSession {
    pub(super) async fn connect(endpoint: &Endpoint, options: &SessionOptions) -> Result<Self, DriverError> {
        let http = Http::connect(endpoint, options.connect_timeout).await?;
        let precision = options.schema.as_ref().map_or(Precision::Ms, |schema| schema.precision);
        let unit = match precision {
            Precision::Ms => "ms",
            Precision::Us => "u",
            Precision::Ns => "ns",
        };
        let database = utf8_percent_encode(&endpoint.database, NON_ALPHANUMERIC);
        let mut session = InfluxSession {
            http,
            encoder: options.schema.as_ref().map(|schema| LineProtocol::new(Arc::clone(schema))),
            buffer: Arc::default(),
            encoded: (0, 0),
            max_request_bytes: options.max_request_bytes.map_or(usize::MAX, |bytes| bytes as usize),
            write_path: format!("/write?db={database}&precision={unit}"),
            query_path: format!("/query?db={database}&epoch={unit}"),
            write_timeout: options.write_timeout,
            query_timeout: options.query_timeout,
        };
        for statement in &options.on_connect {
            session.ask(statement, &mut Answer::default()).await?;
        }
        Ok(session)
    }

    async fn send(&mut self, body: Bytes) -> Result<Became, DriverError> {
        let answer = self.http.post(&self.write_path, "text/plain", body, self.write_timeout).await;
        let (status, body) = answer?;
        write::became(self.http.endpoint(), status, &body)
    }

    async fn ask(&mut self, statement: &str, answer: &mut Answer) -> Result<(), DriverError> {
        answer.clear();
        let (statement, columns) = answer::directive(statement);
        let form = format!("q={}", utf8_percent_encode(statement, NON_ALPHANUMERIC));
        let content = "application/x-www-form-urlencoded";
        let asked = self.http.post(&self.query_path, content, Bytes::from(form), self.query_timeout).await;
        let (status, body) = asked?;
        answer::read(self.http.endpoint(), status, &body, columns, answer)
    }
}

#[async_trait(?Send)]
impl Session for InfluxSession {
    fn encode(&mut self, batch: &Batch) -> Result<u64, DriverError> {
        let encoder = self.encoder.as_mut().ok_or_else(DriverError::no_schema)?;
        if Arc::get_mut(&mut self.buffer).is_none() {
            // A request that was given up still holds the old one.
            self.buffer = Arc::default();
        }
        if let Some(buffer) = Arc::get_mut(&mut self.buffer) {
            buffer.clear();
            encoder.encode(batch, buffer);
        }
        self.encoded = (batch.points(), batch.rows());
        Ok(self.buffer.len() as u64)
    }

    async fn write(&mut self) -> Result<Written, DriverError> {
        let (points, rows) = self.encoded;
        let mut written = Written { bytes: self.buffer.len() as u64, ..Written::default() };
        let whole = Bytes::from_owner(Lent(Arc::clone(&self.buffer)));
        let mut left = (points, rows);
        for part in parts(&whole, rows, self.max_request_bytes)? {
            let share = share_of(&mut left, part.lines);
            let sent = self.send(whole.slice(part.range)).await;
            match sent {
                Ok(Became::Stored) => written.ok_points += share,
                Ok(Became::Partly { dropped, message }) => {
                    let failed = write::points_of(dropped, part.lines, share);
                    written.failed_points += failed;
                    written.ok_points += share - failed;
                    written.error = Some(DriverError::new(ErrorClass::Rejected, message));
                }
                // What came before is stored for certain; this part and those not sent are not.
                Err(error) if written.ok_points > 0 => {
                    written.failed_points = points - written.ok_points;
                    written.error = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(written)
    }

    async fn query(&mut self, statement: &str, answer: &mut Answer) -> Result<(), DriverError> {
        self.ask(statement, answer).await
    }

    async fn execute(&mut self, statement: &str) -> Result<(), DriverError> {
        self.ask(statement, &mut Answer::default()).await
    }
}

/// The points of the next `lines` of what is left, which it is taken from. The last part has all that is left.
fn share_of(left: &mut (u64, u64), lines: u64) -> u64 {
    let (points, rows) = *left;
    let share = if lines >= rows { points } else { points * lines / rows };
    *left = (points - share, rows.saturating_sub(lines));
    share
}
