package link

import (
	"encoding/json"
	"time"
)

// Version is the version of the messages between the two commands and between machines.
// Both ends must have the same.
const Version = 3

// A Kind says what a worker does with a file.
type Kind string

const (
	Binary Kind = "binary" // an executable
	Folder Kind = "folder" // the working directory, packed
)

// A File is a file that batches need.
type File struct {
	Kind   Kind   `json:"kind"`
	Digest string `json:"digest"` // "sha256:" and 64 hexadecimal digits
	Size   int64  `json:"size"`   // in bytes
}

// A Batch is a piece of work.
type Batch struct {
	ID      string          `json:"id"` // letters, digits, - and _; the same payload has the same ID
	Files   []File          `json:"files,omitempty"`
	Limit   time.Duration   `json:"limit"` // of wall time, in nanoseconds
	Payload json.RawMessage `json:"payload"`
}

// An Outcome is what became of a batch.
type Outcome struct {
	ID         string          `json:"id"`
	Payload    json.RawMessage `json:"payload"`          // of the batch
	Result     json.RawMessage `json:"result,omitempty"` // of the runner
	Error      string          `json:"error,omitempty"`  // why there is no result
	Worker     string          `json:"worker"`           // the name of the worker
	Deliveries uint64          `json:"deliveries"`       // how often a worker got the batch
	Elapsed    time.Duration   `json:"elapsed"`          // in nanoseconds
}

// State describes a farm.
type State struct {
	Slots       int  `json:"slots"`       // batches that the workers can run at the same time
	Outstanding int  `json:"outstanding"` // batches without an outcome
	Connected   bool `json:"connected"`
	Duplicates  int  `json:"duplicates"` // outcomes of batches that had one
}

// A Message is one line between the two commands. It has one field.
type Message struct {
	// To the coordinator.
	Upload *Upload `json:"upload,omitempty"`
	Batch  *Batch  `json:"batch,omitempty"`
	Finish bool    `json:"finish,omitempty"` // the run is complete: its batches and outcomes are deleted
	Stop   bool    `json:"stop,omitempty"`   // the run ends early: its queued batches are deleted, its outcomes stay

	// From the coordinator.
	Ready    *Ready   `json:"ready,omitempty"`
	Uploaded string   `json:"uploaded,omitempty"` // a digest
	Outcome  *Outcome `json:"outcome,omitempty"`
	State    *State   `json:"state,omitempty"`
	Note     string   `json:"note,omitempty"`   // one line for the user
	Failed   string   `json:"failed,omitempty"` // why the coordinator has given up
	Done     bool     `json:"done,omitempty"`   // the answer to Finish and Stop
}

// Upload asks for a file to be stored where workers find it.
type Upload struct {
	File
	Path string `json:"path"`
}

// Ready is the coordinator's first message.
type Ready struct {
	Version int    `json:"version"`
	Run     string `json:"run"`
	Key     string `json:"key"` // workers trust it

}
