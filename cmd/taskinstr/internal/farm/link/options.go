package link

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A Server says how to reach a NATS server.
type Server struct {
	URL   string
	Creds string // a credentials file: a JWT and a seed
	NKey  string // a file with the seed of an NKey
	CA    string // the certificates of authorities that sign the server's certificate
	Cert  string // the client's certificate
	Key   string // and its private key
}

// Register adds the flags of a server to a set; prefix begins their names.
func (s *Server) Register(set *flag.FlagSet, prefix string) {
	set.StringVar(&s.Creds, prefix+"creds", "", "a NATS credentials `file` (.creds)")
	set.StringVar(&s.NKey, prefix+"nkey", "", "a `file` with the seed of an NKey user")
	set.StringVar(&s.CA, prefix+"ca", "", "a PEM `file` with the authorities that sign the server's certificate")
	set.StringVar(&s.Cert, prefix+"cert", "", "a PEM `file` with the client's certificate, if the server asks for one")
	set.StringVar(&s.Key, prefix+"cert-key", "", "a PEM `file` with the private key of the client's certificate")
}

// Check reports contradictions between the settings.
func (s *Server) Check() error {
	u, err := url.Parse(s.URL)
	if err != nil {
		return fmt.Errorf("%q is no address of a server: %w", s.URL, err)
	}
	switch u.Scheme {
	case "nats", "tls", "ws", "wss":
	default:
		return fmt.Errorf("%q is no address of a server: it begins with nats:// or tls://, for example nats://build1:4222", s.URL)
	}
	switch {
	case u.Host == "":
		return fmt.Errorf("%q names no host; an example is nats://build1:4222", s.URL)
	case s.Creds != "" && s.NKey != "":
		return errors.New("a credentials file and an NKey are two ways to log in; give one of them")
	case (s.Cert == "") != (s.Key == ""):
		return errors.New("the client's certificate and its private key belong together; give both")
	}
	return nil
}

// Shown is the address without a password.
func (s *Server) Shown() string {
	if u, err := url.Parse(s.URL); err == nil {
		return u.Redacted()
	}
	return s.URL
}

// A WorkerConfig is the command line of a worker.
type WorkerConfig struct {
	Server
	Trust   []string // public keys of coordinators
	Slots   int      // batches at the same time
	Cache   string   // a folder for binaries; "": in the user's cache folder
	Scratch string   // a folder for the folders of batches; "": the system's temporary folder
	Cgroup  string   // a folder of cgroup v2 in which the worker may make groups; "": none
	Memory  int64    // of a batch, in bytes
	Disk    int64    // of the cache, in bytes
	Longest time.Duration
	Wait    time.Duration // for a server that is gone
	Alone   bool          // all workers are on this machine, so no other one fares better than this one
}

// WorkerHelp is the text of `taskinstr help worker`.
func WorkerHelp() string {
	var text strings.Builder
	var c WorkerConfig
	set := c.flags()
	set.SetOutput(&text)
	set.PrintDefaults()
	return `Runs batches of schedules for commands ` + "`taskinstr test -explore=... -workers=SERVER`" + ` on this or on
other machines, until it is interrupted. SERVER is a NATS server with JetStream:

	nats-server -js                                     # on the machine build1
	taskinstr test -explore=10m -workers=nats://build1:4222 ./...
	taskinstr worker -trust=UBF3...KQ nats://build1:4222      # on each other machine

	taskinstr worker -trust=UBF3...KQ -creds=worker.creds -ca=ca.pem tls://build1:4222
	taskinstr worker -trust=UBF3...KQ -slots=2 -memory=4GiB nats://build1:4222

A worker runs the test binaries that it is sent, as the user who started it. It runs a binary
only if a coordinator that -trust names has signed its digest. ` + "`taskinstr test -workers=...`" + ` prints
the key of its coordinator.

` + text.String() + `
A batch whose worker ends is run again by another worker. Exit codes: 0 after an interrupt, 1 if
the server refuses the worker or stays away, 2 if the command line is no good. docs/use/farm.md
describes a farm of two machines and of a thousand.
`
}

func (c *WorkerConfig) flags() *flag.FlagSet {
	set := flag.NewFlagSet("worker", flag.ContinueOnError)
	set.Usage = func() {}
	set.Func("trust", "the public `key` of a coordinator whose binaries this machine runs; keys are separated by commas", func(s string) error {
		for key := range strings.SplitSeq(s, ",") {
			if len(key) != 56 || key[0] != 'U' {
				return fmt.Errorf("%q is no key of a coordinator: it has 56 characters, the first is U", key)
			}
			c.Trust = append(c.Trust, key)
		}
		return nil
	})
	set.IntVar(&c.Slots, "slots", runtime.NumCPU(), "the number of batches to run at the same time; by default the number of processors")
	set.StringVar(&c.Cache, "cache", "", "a `folder` that keeps binaries; workers share it. By default a folder of the user's cache folder")
	set.StringVar(&c.Scratch, "scratch", "", "a `folder` for the files of running batches; by default the system's temporary folder")
	set.StringVar(&c.Cgroup, "cgroup", "", "a cgroup v2 `folder` that this user may write, with the controller memory on; each batch gets a group there")
	c.Memory, c.Disk = 4<<30, 8<<30
	set.Func("memory", "the `size` of the memory that the processes of one batch may have together, such as 512MiB; by default 4GiB", sizeVar(&c.Memory))
	set.Func("cache-size", "the `size` of the binaries that are kept; by default 8GiB", sizeVar(&c.Disk))
	set.DurationVar(&c.Longest, "longest", time.Hour, "the longest time that one batch may take, whatever its coordinator allows")
	set.DurationVar(&c.Wait, "wait", 10*time.Minute, "how long to wait for a server that has gone away")
	c.Register(set, "")
	return set
}

// ParseWorker reads the arguments of a worker. The error is flag.ErrHelp if they ask for help.
func ParseWorker(args []string) (*WorkerConfig, error) {
	c := new(WorkerConfig)
	set := c.flags()
	set.SetOutput(io.Discard)
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case set.NArg() == 0:
		return nil, errors.New("the address of the server is missing; an example is taskinstr worker -trust=KEY nats://build1:4222")
	case set.NArg() > 1:
		return nil, fmt.Errorf("too many arguments: %s; flags stand in front of the address of the server", strings.Join(set.Args()[1:], " "))
	case len(c.Trust) == 0:
		return nil, errors.New("-trust is missing: name the coordinators whose binaries this machine may run; `taskinstr test -workers=...` prints the key of its coordinator")
	case strings.ContainsAny(c.Scratch, " \t"):
		return nil, fmt.Errorf("-scratch=%q has a space in its name, which TASKINSTR cannot express", c.Scratch)
	case c.Slots < 1:
		return nil, fmt.Errorf("-slots=%d: a worker needs at least one", c.Slots)
	}
	c.URL = set.Arg(0)
	return c, c.Check()
}

// sizeVar returns the function of a flag whose value is a number of bytes.
func sizeVar(p *int64) func(string) error {
	return func(s string) error {
		n, err := parseSize(s)
		if err == nil {
			*p = n
		}
		return err
	}
}

func parseSize(s string) (int64, error) {
	number, shift := s, 0
	for i, unit := range []string{"KiB", "MiB", "GiB"} {
		if rest, ok := strings.CutSuffix(s, unit); ok {
			number, shift = rest, 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n <= 0 || n > 1<<62>>shift {
		return 0, fmt.Errorf("%q is no size; examples are 512MiB and 4GiB", s)
	}
	return n << shift, nil
}

// A CoordinatorConfig says how batches of a command reach workers.
type CoordinatorConfig struct {
	Server         // URL is "" if Local is not 0
	Local   int    // the number of workers to start on this machine, with a server of their own
	Sign    string // the file of the key that signs batches; "": in the user's configuration folder
	Dir     string // a folder of this run, which a resumed command has as well
	Resume  bool
	Wait    time.Duration // for a server that is gone
	AckWait time.Duration // until a batch is taken from a worker that gives no sign of life
}

// SetWorkers reads the value of -workers: a number of workers, or the address of a server.
func (c *CoordinatorConfig) SetWorkers(value string) error {
	if n, err := strconv.Atoi(value); err == nil {
		if n < 1 || n > 1024 {
			return fmt.Errorf("the number of workers on this machine is at least 1 and at most 1024, not %s", value)
		}
		c.Local, c.URL = n, ""
		return nil
	}
	if !strings.Contains(value, "://") {
		return errors.New("give a number of workers on this machine, or the address of a NATS server such as nats://build1:4222")
	}
	c.URL, c.Local = value, 0
	return nil
}

// CheckWorkers reports contradictions between the settings.
func (c *CoordinatorConfig) CheckWorkers() error {
	if c.Local > 0 {
		return nil
	}
	return c.Check()
}

// Flags adds the flags that say how to reach the server and how to sign, to a set; prefix begins
// their names.
func (c *CoordinatorConfig) Flags(set *flag.FlagSet, prefix string) {
	c.Register(set, prefix)
	set.StringVar(&c.Sign, prefix+"sign", "", "the `file` of the NKey seed that signs batches; by default one is made in the user's configuration folder")
	set.DurationVar(&c.Wait, prefix+"wait", 5*time.Minute, "how long to wait for a server that has gone away")
}

// args returns the arguments of `taskinstr-farm coordinate`.
func (c *CoordinatorConfig) args() []string {
	args := []string{"coordinate"}
	add := func(name, value string) {
		if value != "" {
			args = append(args, "-"+name+"="+value)
		}
	}
	add("url", c.URL)
	add("creds", c.Creds)
	add("nkey", c.NKey)
	add("ca", c.CA)
	add("cert", c.Cert)
	add("cert-key", c.Key)
	add("sign", c.Sign)
	add("dir", c.Dir)
	add("local", strconv.Itoa(c.Local))
	add("resume", strconv.FormatBool(c.Resume))
	if c.Wait > 0 {
		add("wait", c.Wait.String())
	}
	if c.AckWait > 0 {
		add("ackwait", c.AckWait.String())
	}
	return args
}

// ParseCoordinator reads the arguments that Start passes to `taskinstr-farm coordinate`.
func ParseCoordinator(args []string) (*CoordinatorConfig, error) {
	c := new(CoordinatorConfig)
	set := flag.NewFlagSet("coordinate", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	c.Flags(set, "")
	set.StringVar(&c.URL, "url", "", "")
	set.StringVar(&c.Dir, "dir", "", "")
	set.IntVar(&c.Local, "local", 0, "")
	set.BoolVar(&c.Resume, "resume", false, "")
	set.DurationVar(&c.AckWait, "ackwait", 0, "")
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case set.NArg() > 0:
		return nil, fmt.Errorf("too many arguments: %s", strings.Join(set.Args(), " "))
	case c.Dir == "":
		return nil, errors.New("-dir is missing")
	}
	return c, c.CheckWorkers()
}
