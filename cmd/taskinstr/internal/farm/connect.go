package farm

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"taskinstr/cmd/taskinstr/internal/farm/link"
)

// A connection is one to a server, which is made anew when it breaks.
type connection struct {
	link.Server
	flags string // what begins the names of the flags that say how to reach it
	nc    *nats.Conn
	js    jetstream.JetStream

	mu     sync.Mutex
	since  time.Time     // when the connection broke; zero: it stands
	denied error         // what the server has first refused
	refuse chan struct{} // closed when it has
	back   chan struct{}
	closed chan struct{} // closed when there will be no further attempt
	err    error         // why
}

// What begins the names of the flags of a worker and of a coordinator.
const (
	workerFlags      = "-"
	coordinatorFlags = "-workers-"
)

// connect connects to a server. note gets lines for the user about connections that break. name
// is shown by the server's tools.
func connect(s link.Server, flags, name string, note func(string), more ...nats.Option) (*connection, error) {
	for _, file := range []struct{ what, path string }{
		{"the credentials file", s.Creds}, {"the file of the NKey", s.NKey}, {"the authorities' file", s.CA},
		{"the client's certificate", s.Cert}, {"the client's private key", s.Key},
	} {
		if file.path == "" {
			continue
		}
		if _, err := os.ReadFile(file.path); err != nil {
			return nil, fmt.Errorf("%s: %w", file.what, err)
		}
	}
	c := &connection{Server: s, flags: flags, back: make(chan struct{}), closed: make(chan struct{}), refuse: make(chan struct{})}
	options := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond), nats.ReconnectJitter(250*time.Millisecond, 2*time.Second),
		nats.Timeout(requestTime), nats.PingInterval(20 * time.Second), nats.MaxPingsOutstanding(2), nats.ReconnectBufSize(-1),
	}
	identity, err := identify(s)
	if err != nil {
		return nil, err
	}
	nc, err := nats.Connect(s.URL, slices.Concat(options, c.handlers(note), identity, more)...)
	if err != nil {
		return nil, c.explain(err)
	}
	c.nc = nc
	c.js, err = jetstream.New(nc, jetstream.WithDefaultTimeout(requestTime))
	return c, err
}

// handlers are the options that keep c up to date when the connection changes.
func (c *connection) handlers(note func(string)) []nats.Option {
	return []nats.Option{
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			c.mu.Lock()
			c.since = time.Now()
			c.mu.Unlock()
			if err != nil { // nil: closed by this side
				note(fmt.Sprintf("the connection to %s broke (%v); trying to reach it again", c.Shown(), err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			c.mu.Lock()
			c.since = time.Time{}
			close(c.back)
			c.back = make(chan struct{})
			c.mu.Unlock()
			note(c.Shown() + " is back")
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				c.mu.Lock()
				if c.denied == nil {
					c.denied = err
					close(c.refuse)
				}
				c.mu.Unlock()
			}
		}),
		nats.ClosedHandler(func(nc *nats.Conn) {
			c.mu.Lock()
			c.err = nc.LastError()
			c.mu.Unlock()
			close(c.closed)
		}),
	}
}

// identify returns the options by which the client and the server know each other.
func identify(s link.Server) (options []nats.Option, err error) {
	if s.Creds != "" {
		options = append(options, nats.UserCredentials(s.Creds))
	}
	if s.NKey != "" {
		option, err := nats.NkeyOptionFromSeed(s.NKey)
		if err != nil {
			return nil, fmt.Errorf("%s holds no NKey seed: %w", s.NKey, err)
		}
		options = append(options, option)
	}
	if s.CA != "" {
		options = append(options, nats.RootCAs(s.CA))
	}
	if s.Cert != "" {
		options = append(options, nats.ClientCert(s.Cert, s.Key))
	}
	return options, nil
}

// returned returns a channel that is closed when a broken connection stands again.
func (c *connection) returned() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.back
}

// gone returns how long the connection has been broken.
func (c *connection) gone() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.since.IsZero() {
		return 0
	}
	return time.Since(c.since)
}

// refusal returns what the server has refused, as an error to add to err.
func (c *connection) refusal(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.denied == nil {
		return err
	}
	return fmt.Errorf("%w (%w)", c.denied, err)
}

// isDenied reports whether the server has refused something to these credentials.
func (c *connection) isDenied() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.denied != nil
}

// untilDenied returns a context that is done when the server refuses something: a refused request has
// no answer.
func (c *connection) untilDenied(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-c.refuse:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// Numbers of errors of the server's API that the client has no names for.
const (
	codeNoStorage      = 10047 // insufficient storage resources available
	codeNoResources    = 10023
	codeStoreFailed    = 10077 // the text has the reason
	codeMaxStreamBytes = 10122
)

// isQueued reports whether a message was refused because its subject has one already.
func isQueued(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject exceeded")
}

// isFull reports whether the server or this machine has no room left.
func isFull(err error) bool {
	if errors.Is(err, syscall.ENOSPC) {
		return true
	}
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return false
	}
	switch int(api.ErrorCode) {
	case codeNoStorage, codeNoResources, codeMaxStreamBytes:
		return true
	case codeStoreFailed:
		return strings.Contains(api.Description, "no space") || strings.Contains(api.Description, "maximum bytes")
	}
	return false
}

// isMissing reports whether a stream, a consumer or a message does not exist.
func isMissing(err error) bool {
	return slices.ContainsFunc([]error{jetstream.ErrStreamNotFound, jetstream.ErrConsumerNotFound, jetstream.ErrMsgNotFound, jetstream.ErrBucketNotFound,
		jetstream.ErrObjectNotFound, jetstream.ErrConsumerDoesNotExist, jetstream.ErrConsumerDeleted}, func(target error) bool { return errors.Is(err, target) })
}

// explain returns err in words that name the cause and what to do.
func (c *connection) explain(err error) error {
	shown := c.Shown()
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var dns *net.DNSError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unknown):
		return fmt.Errorf("%s shows a certificate of an authority that this machine does not know: %w; name the authority's file with %sca", shown, err, c.flags)
	case errors.As(err, &host):
		return fmt.Errorf("the certificate of %s is not for this name: %w", shown, err)
	case errors.Is(err, nats.ErrSecureConnRequired), errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("%s and this command do not agree about TLS: %w; begin the address with tls:// if the server has a certificate, with nats:// if it has none", shown, err)
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked):
		return fmt.Errorf("%s refuses these credentials: %w; give others with %screds=FILE, %[3]snkey=FILE, or in the address", shown, err, c.flags)
	case errors.As(err, &dns):
		return fmt.Errorf("%s: %w; is the name right?", shown, err)
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, syscall.ECONNREFUSED):
		instead := ""
		if c.flags != workerFlags {
			instead = ", or use -workers=N for workers on this machine"
		}
		return fmt.Errorf("no NATS server answers at %s: %w; start one there with `nats-server -js`%s", shown, err, instead)
	case isFull(err):
		return fmt.Errorf("%s has no room left: %w; give its JetStream more storage, or delete what is old: `nats stream purge %s`, `nats object rm %s`", shown, err, resultStream, fileBucket)
	case c.isDenied():
		return fmt.Errorf("%s does not permit this command what it needs: %w; docs/use/farm.md lists the permissions", shown, c.refusal(err))
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount), errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("%s has no JetStream (%w); start it with `nats-server -js`. A server whose disk is full turns JetStream off until it is started again", shown, err)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("%s does not answer in time: %w", shown, err)
	case errors.Is(err, fs.ErrNotExist):
		return err
	}
	return fmt.Errorf("%s: %w", shown, err)
}
