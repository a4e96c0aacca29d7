package farm

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"taskinstr/cmd/taskinstr/internal/farm/link"
)

// Names on the server.
const (
	workStream   = "taskinstr-work"
	resultStream = "taskinstr-results"
	fileBucket   = "taskinstr-files"
	workPrefix   = "taskinstr.work."
	resultPrefix = "taskinstr.result."
	keyHeader    = "Taskinstr-Key"
	signHeader   = "Taskinstr-Signature"
)

// signed begins the text under a signature, so that no signature of another protocol fits.
const signed = "taskinstr batch\n"

// A task is a batch as it is signed.
type task struct {
	Version int    `json:"version"`
	Run     string `json:"run"`
	link.Batch
}

// An answer is an outcome as it is stored.
type answer struct {
	Version int    `json:"version"`
	Run     string `json:"run"`
	link.Outcome
	Large string `json:"large,omitempty"` // the name of an object that holds Result, which is too large for a message
}

// identifier is the form of the names of runs and batches, which are parts of subjects.
var identifier = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func seal(key nkeys.KeyPair, run string, b *link.Batch) (*nats.Msg, error) {
	if !identifier.MatchString(b.ID) {
		return nil, fmt.Errorf("%q is no identifier of a batch", b.ID)
	}
	public, err := key.PublicKey()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(task{link.Version, run, *b})
	if err != nil {
		return nil, err
	}
	text = compress(text)
	signature, err := key.Sign(append([]byte(signed), text...))
	if err != nil {
		return nil, err
	}
	m := nats.NewMsg(workPrefix + public + "." + run + "." + b.ID)
	m.Data = text
	m.Header.Set(keyHeader, public)
	m.Header.Set(signHeader, base64.StdEncoding.EncodeToString(signature))
	return m, nil
}

// errForged says that a message is not what its coordinator has signed.
var errForged = errors.New("the batch does not bear the signature of the coordinator whose subject it has")

// unseal returns the batch of a message that key has signed.
func unseal(key, subject string, header nats.Header, text []byte) (*task, error) {
	public, err := nkeys.FromPublicKey(key)
	if err != nil {
		return nil, err
	}
	signature, err := base64.StdEncoding.DecodeString(header.Get(signHeader))
	if err != nil || header.Get(keyHeader) != key || public.Verify(append([]byte(signed), text...), signature) != nil {
		return nil, errForged
	}
	t := new(task)
	if text, err = expand(text); err == nil {
		err = json.Unmarshal(text, t)
	}
	if err != nil {
		return nil, fmt.Errorf("the batch cannot be read: %w", err)
	}
	switch {
	case t.Version != link.Version:
		return nil, fmt.Errorf("the coordinator has version %d of the messages, this worker has version %d; install the same taskinstr on both", t.Version, link.Version)
	case subject != workPrefix+key+"."+t.Run+"."+t.ID:
		return nil, errForged
	}
	return t, nil
}

// compress returns the form in which a text is sent: as it is, which begins with a brace, or
// compressed if it is long.
func compress(text []byte) []byte {
	if len(text) < longMessage {
		return text
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(text)
	z.Close()
	return b.Bytes()
}

// expand is the inverse of compress.
func expand(sent []byte) ([]byte, error) {
	if len(sent) == 0 || sent[0] == '{' {
		return sent, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, maxMessage+1))
	if err == nil && len(text) > maxMessage {
		err = fmt.Errorf("it is longer than %d MiB", maxMessage>>20)
	}
	return text, err
}

// resultSubject returns the subject of the outcome of a batch whose subject is given.
func resultSubject(work string) string {
	return resultPrefix + strings.TrimPrefix(work, workPrefix)
}

// Times and bounds. Fields of configurations replace those that tests need shorter.
const (
	defaultAckWait  = 30 * time.Second
	defaultWait     = 5 * time.Minute // for a server that is gone
	requestTime     = 10 * time.Second
	fetchTime       = 30 * time.Second // of one request for work
	reconcileEvery  = 30 * time.Second
	slotsEvery      = 5 * time.Second
	queueAge        = 24 * time.Hour     // after which the server forgets a batch
	keepAge         = 7 * 24 * time.Hour // after which it forgets outcomes and files
	maxDeliveries   = 6                  // after which a batch is given up
	maxFailures     = 2                  // deliveries after which a batch that ran and failed is given up
	maxOutstanding  = 4096
	minOutstanding  = 4
	longMessage     = 64 << 10  // bytes; longer ones are compressed
	maxMessage      = 64 << 20  // bytes of a compressed one
	headerRoom      = 1 << 10   // bytes that the header of a message may take
	largeResult     = 512 << 10 // bytes; larger ones go to the object store
	maxPullRequests = 16384     // workers that wait for work at the same time
	chunkSize       = 512 << 10 // bytes of a file in one message; the server's limit is 1 MiB by default
)
