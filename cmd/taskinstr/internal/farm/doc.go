// Package farm runs batches on many machines, over a NATS server with JetStream. A batch is
// opaque to it: an identifier, a payload for its runner, and files by digest (package link has the
// types).
//
// # Terms
//
// A coordinator ([Coordinator]) publishes the batches of one run and collects their outcomes. A
// worker ([Worker]) runs batches, some at the same time: its slots. A delivery is one handing of a
// batch to a worker. A batch is outstanding from its publication until the coordinator has its
// outcome.
//
// # On the server
//
//	stream taskinstr-work, a work queue     taskinstr.work.KEY.RUN.BATCH     signed batches
//	stream taskinstr-results                taskinstr.result.KEY.RUN.BATCH   outcomes
//	object store taskinstr-files            DIGEST                           files, compressed
//	consumer KEY of the work queue          taskinstr.work.KEY.>             shared by all workers that trust KEY
//
// KEY is the public key of the coordinator. Both streams hold one message a subject and refuse
// another one. So a batch that is published again while it is queued is queued once, and the first
// outcome of a batch is its only one.
//
// # Why no batch is lost or counted twice
//
// A worker acknowledges a batch after the server has stored its outcome. A worker that gives no
// sign of life for the consumer's AckWait loses its batch to another one. A slow worker sends signs
// of life. If two workers have run the same batch, the second outcome is refused. If the server
// loses a message that it has confirmed (its machine lost power), the batch is neither queued nor
// has an outcome: the coordinator compares the queue with its outstanding batches from time to time
// ([Coordinator.reconcile]) and publishes what is missing.
//
// The outcomes on the server are the state of a run; the coordinator keeps only the run's name in a
// file. A coordinator that goes on reads all outcomes first. Identifiers are digests of payloads, so
// a batch that has an outcome is not run again, whoever asks for it.
//
// # Whom a worker trusts
//
// A worker runs the binary of a batch only if the batch bears the signature of a key that its user
// has named, an ed25519 NKey. The signature covers the digests of the files, the payload, the run
// and the identifier. The server's permissions may restrict further who publishes
// (docs/use/farm.md); the worker does not rely on them.
package farm
