package farm

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"taskinstr/cmd/taskinstr/internal/farm/link"
)

// makeStreams makes the streams and the object store, unless they exist. An operator may have made
// them with other limits or more replicas.
func (c *connection) makeStreams(ctx context.Context) error {
	for _, want := range []jetstream.StreamConfig{
		{Name: workStream, Subjects: []string{workPrefix + ">"}, Retention: jetstream.WorkQueuePolicy, MaxAge: queueAge,
			Description: "batches of taskinstr test -workers"},
		{Name: resultStream, Subjects: []string{resultPrefix + ">"}, Retention: jetstream.LimitsPolicy, MaxAge: keepAge, AllowDirect: true,
			Description: "outcomes of batches of taskinstr test -workers"},
	} {
		want.Storage, want.MaxMsgsPerSubject, want.Discard, want.DiscardNewPerSubject = jetstream.FileStorage, 1, jetstream.DiscardNew, true
		want.Compression = jetstream.S2Compression
		s, err := c.js.Stream(ctx, want.Name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			s, err = c.js.CreateStream(ctx, want)
			if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another coordinator was faster
				s, err = c.js.Stream(ctx, want.Name)
			}
		}
		if err != nil {
			return err
		}
		have := s.CachedInfo().Config
		if have.Retention != want.Retention || have.MaxMsgsPerSubject != 1 || !have.DiscardNewPerSubject || have.Discard != jetstream.DiscardNew || !have.AllowDirect && want.AllowDirect {
			return fmt.Errorf("the stream %s is not one that taskinstr has made: with its settings batches may be lost or run twice; delete it with `nats stream rm %[1]s`", want.Name)
		}
	}
	_, err := c.js.ObjectStore(ctx, fileBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		_, err = c.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: fileBucket, TTL: keepAge, Storage: jetstream.FileStorage,
			Description: "test binaries and packed folders of taskinstr test -workers, compressed, by digest"})
		if errors.Is(err, jetstream.ErrBucketExists) {
			err = nil
		}
	}
	return err
}

// objectName returns the name of a file in the object store.
func objectName(digest string) (string, error) {
	sum, ok := strings.CutPrefix(digest, "sha256:")
	if b, err := hex.DecodeString(sum); !ok || err != nil || len(b) != sha256.Size {
		return "", fmt.Errorf("%q is no digest", digest)
	}
	return sum, nil
}

// upload stores a file, unless it is there and stays for most of its time. It returns whether it
// has stored it.
func (c *connection) upload(ctx context.Context, u link.Upload) (bool, error) {
	name, err := objectName(u.Digest)
	if err != nil {
		return false, err
	}
	files, err := c.js.ObjectStore(ctx, fileBucket)
	if err != nil {
		return false, err
	}
	if info, err := files.GetInfo(ctx, name); err == nil && time.Since(info.ModTime) < keepAge/2 {
		return false, nil
	} else if err != nil && !isMissing(err) {
		return false, err
	}
	f, err := os.Open(u.Path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	r, w := io.Pipe()
	go func() {
		sum := sha256.New()
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		n, err := io.Copy(z, io.TeeReader(f, sum))
		if err == nil && (n != u.Size || hex.EncodeToString(sum.Sum(nil)) != name) {
			err = fmt.Errorf("%s has changed since its digest was taken: it has %d bytes, not %d, or other contents", u.Path, n, u.Size)
		}
		w.CloseWithError(errors.Join(err, z.Close()))
	}()
	_, err = files.Put(ctx, jetstream.ObjectMeta{Name: name, Opts: &jetstream.ObjectMetaOptions{ChunkSize: chunkSize}}, r)
	r.CloseWithError(errors.New("the upload has ended")) // ends the goroutine if Put has not read everything
	return true, err
}

// download writes a file of the object store to w. The caller judges the contents.
func (c *connection) download(ctx context.Context, digest string, w io.Writer) error {
	name, err := objectName(digest)
	if err != nil {
		return err
	}
	files, err := c.js.ObjectStore(ctx, fileBucket)
	if err != nil {
		return err
	}
	o, err := files.Get(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return fmt.Errorf("the server does not have the file %s: %w", digest, err)
	} else if err != nil {
		return err
	}
	defer o.Close()
	z, err := gzip.NewReader(o)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, z)
	return err
}

// publishAnswer stores an outcome under the subject. It returns false if there was one.
func (c *connection) publishAnswer(ctx context.Context, subject string, text []byte) (bool, error) {
	_, err := c.js.Publish(ctx, subject, text, jetstream.WithExpectStream(resultStream))
	if isQueued(err) {
		return false, nil
	}
	return err == nil, err
}

// hasAnswer reports whether the batch of the subject has an outcome.
func (c *connection) hasAnswer(ctx context.Context, subject string) (bool, error) {
	s, err := c.js.Stream(ctx, resultStream)
	if err != nil {
		return false, err
	}
	_, err = s.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return err == nil, err
}
