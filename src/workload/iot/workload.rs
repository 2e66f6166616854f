//! Workload `iot` itself: the schema, and each client's stream.
//!
//! It must not know a clock or a thread. Invariant: streams of different clients share nothing that changes.

use std::sync::Arc;

use super::parameters::IotParameters;
use super::stream::IotStream;
use super::values::Generators;
use super::{shape, totals};
use crate::workload::model::Schema;
use crate::workload::operation::OperationKind;
use crate::workload::stream::{ClientStream, Part, Totals, Workload};

/// What all streams of a workload read.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) parameters: IotParameters,
    pub(super) schema: Arc<Schema>,
    pub(super) generators: Generators,
    /// The sensors whose values are numbers.
    pub(super) numeric: Vec<u32>,
}

/// Workload `iot`.
#[derive(Debug)]
pub(super) struct Iot {
    shared: Arc<Shared>,
}

impl Iot {
    pub(super) fn new(parameters: IotParameters) -> Self {
        let schema = Arc::new(shape::schema(&parameters));
        let generators = Generators::new(&parameters);
        Iot { shared: Arc::new(Shared { numeric: generators.numeric(), parameters, schema, generators }) }
    }
}

impl Workload for Iot {
    fn schema(&self) -> Arc<Schema> {
        Arc::clone(&self.shared.schema)
    }

    fn totals(&self) -> Totals {
        totals::totals(&self.shared.parameters)
    }

    fn clients(&self) -> u32 {
        self.shared.parameters.clients()
    }

    fn stream(&self, client: u32, part: Part) -> Box<dyn ClientStream> {
        Box::new(IotStream::new(Arc::clone(&self.shared), client, part))
    }

    fn kinds(&self) -> Vec<OperationKind> {
        self.shared.parameters.kinds().collect()
    }
}
