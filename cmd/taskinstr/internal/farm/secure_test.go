package farm

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"taskinstr/cmd/taskinstr/internal/farm/link"
)

// certificate returns a certificate for 127.0.0.1 that signs itself, and its file.
func certificate(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o666); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}, file
}

// user returns a file with a seed, and its public key.
func user(t *testing.T) (file, public string) { return key(t) }

// With TLS and NKeys, and with no more permissions than docs/use/farm.md lists, a worker does its work;
// without the authority or the key it is told what is wrong.
func TestTLSAndNKeys(t *testing.T) {
	t.Parallel()
	cert, ca := certificate(t)
	_, otherCA := certificate(t)
	coordinatorSeed, coordinatorKey := user(t)
	workerSeed, workerKey := user(t)
	strangerSeed, _ := user(t)
	_, url := serve(t, func(o *server.Options) {
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{cert}}
		o.Nkeys = []*server.NkeyUser{{Nkey: coordinatorKey}, {Nkey: workerKey, Permissions: &server.Permissions{
			Publish:   &server.SubjectPermission{Allow: WorkerPermissions.Publish},
			Subscribe: &server.SubjectPermission{Allow: WorkerPermissions.Subscribe},
		}}}
	})
	url = strings.Replace(url, "nats://", "tls://", 1)
	file, public := key(t)
	c, _ := open(t, link.CoordinatorConfig{Server: link.Server{URL: url, NKey: coordinatorSeed, CA: ca}, Sign: file, AckWait: 300 * time.Millisecond})
	binary := stored(t, c, link.Binary, strings.Repeat("binary", 200_000))
	_, notes := work(t, link.WorkerConfig{Server: link.Server{URL: url, NKey: workerSeed, CA: ca}, Trust: []string{public}}, here(fake))
	b := &fakeBatch{Seed: 3, Count: 5, Time: 500, Large: 0}
	out := do(t, c, b.batch(binary))
	right(t, out, b)
	if out.Deliveries != 1 {
		t.Errorf("%d deliveries: the worker may not give signs of life", out.Deliveries)
	}
	// Errors of a first delivery, an outcome that is there, and a large result need permissions, too.
	large := &fakeBatch{Seed: 4, Count: 5, Large: 1 << 20}
	if out := do(t, c, large.batch(binary)); out.Error != "" {
		t.Error(out.Error)
	}
	if has, err := mustConnect(t, link.Server{URL: url, NKey: workerSeed, CA: ca}).hasAnswer(t.Context(), c.subject()+b.id()); !has || err != nil {
		t.Errorf("a worker does not find an outcome: %v", err)
	}
	if notes.text() != "" {
		t.Errorf("notes: %s", notes.text())
	}

	for _, test := range []struct {
		server link.Server
		want   string
	}{
		{link.Server{URL: url, NKey: workerSeed, CA: otherCA}, "certificate of an authority that this machine does not know"},
		{link.Server{URL: url, NKey: workerSeed}, "name the authority's file with -ca"},
		{link.Server{URL: url, NKey: strangerSeed, CA: ca}, "refuses these credentials"},
		{link.Server{URL: url, CA: ca}, "give others with -creds=FILE, -nkey=FILE"},
		{link.Server{URL: url, NKey: ca, CA: ca}, "holds no NKey seed"},
		{link.Server{URL: url, NKey: "missing.nk", CA: ca}, "the file of the NKey: open missing.nk: no such file"},
		{link.Server{URL: url, CA: "missing.pem"}, "the authorities' file: open missing.pem: no such file"},
		{link.Server{URL: strings.Replace(url, "127.0.0.1", "localhost", 1), NKey: workerSeed, CA: ca}, "is not for this name"},
	} {
		_, err := NewWorker(link.WorkerConfig{Server: test.server, Trust: []string{public}, Cache: t.TempDir()}, nil, new(notebook).add)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}

	// A worker's login does not permit to publish batches.
	_, err := Open(t.Context(), link.CoordinatorConfig{Server: link.Server{URL: url, NKey: workerSeed, CA: ca}, Sign: file, Dir: t.TempDir(), Wait: time.Second}, new(notebook).add, nil)
	if err == nil || !strings.Contains(err.Error(), "does not permit this command what it needs") {
		t.Errorf("error %v", err)
	}
}

func mustConnect(t *testing.T, s link.Server) *connection {
	t.Helper()
	c, err := connect(s, workerFlags, "test", new(notebook).add)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.nc.Close)
	return c
}

// A credentials file logs in where the server has accounts.
func TestCredentials(t *testing.T) {
	t.Parallel()
	operator, err := nkeys.CreateOperator()
	if err != nil {
		t.Fatal(err)
	}
	account, err := nkeys.CreateAccount()
	if err != nil {
		t.Fatal(err)
	}
	public := func(k nkeys.KeyPair) string {
		p, err := k.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	accountClaims := jwt.NewAccountClaims(public(account))
	accountClaims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	accountToken, err := accountClaims.Encode(operator)
	if err != nil {
		t.Fatal(err)
	}
	system, err := nkeys.CreateAccount()
	if err != nil {
		t.Fatal(err)
	}
	systemToken, err := jwt.NewAccountClaims(public(system)).Encode(operator)
	if err != nil {
		t.Fatal(err)
	}
	resolver := &server.MemAccResolver{}
	if err := errors.Join(resolver.Store(public(account), accountToken), resolver.Store(public(system), systemToken)); err != nil {
		t.Fatal(err)
	}
	operatorClaims := jwt.NewOperatorClaims(public(operator))
	operatorToken, err := operatorClaims.Encode(operator)
	if err != nil {
		t.Fatal(err)
	}
	if operatorClaims, err = jwt.DecodeOperatorClaims(operatorToken); err != nil {
		t.Fatal(err)
	}
	_, url := serve(t, func(o *server.Options) {
		o.TrustedOperators, o.AccountResolver, o.SystemAccount = []*jwt.OperatorClaims{operatorClaims}, resolver, public(system)
	})
	credentials := func(signer nkeys.KeyPair) string {
		userKey, err := nkeys.CreateUser()
		if err != nil {
			t.Fatal(err)
		}
		token, err := jwt.NewUserClaims(public(userKey)).Encode(signer)
		if err != nil {
			t.Fatal(err)
		}
		seed, err := userKey.Seed()
		if err != nil {
			t.Fatal(err)
		}
		text, err := jwt.FormatUserConfig(token, seed)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "user.creds")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	file, key := key(t)
	c, _ := open(t, link.CoordinatorConfig{Server: link.Server{URL: url, Creds: credentials(account)}, Sign: file})
	work(t, link.WorkerConfig{Server: link.Server{URL: url, Creds: credentials(account)}, Trust: []string{key}}, here(fake))
	b := &fakeBatch{Seed: 3, Count: 5}
	right(t, do(t, c, b.batch()), b)

	stranger, err := nkeys.CreateAccount()
	if err != nil {
		t.Fatal(err)
	}
	for creds, want := range map[string]string{credentials(stranger): "refuses these credentials", file: "refuses these credentials", "missing.creds": "the credentials file: open missing.creds"} {
		if c, err := connect(link.Server{URL: url, Creds: creds}, workerFlags, "test", new(notebook).add); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: connection %v, error %v, want %q", creds, c, err, want)
		}
	}
}

// Each way in which there is no usable server has its own words.
func TestNoServer(t *testing.T) {
	t.Parallel()
	_, plain := serve(t, func(o *server.Options) { o.JetStream = false })
	file, _ := key(t)
	for url, want := range map[string]string{
		"nats://127.0.0.1:" + freePort(t): "no NATS server answers at nats://127.0.0.1:",
		plain:                             "has no JetStream",
		strings.Replace(plain, "nats://", "tls://", 1): "do not agree about TLS",
		"nats://no.such.host.invalid:4222":             "is the name right?",
	} {
		_, err := Open(t.Context(), link.CoordinatorConfig{Server: link.Server{URL: url}, Sign: file, Dir: t.TempDir(), Wait: time.Second}, new(notebook).add, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", url, err, want)
		}
	}
}

// The key that signs batches is made once, and is refused where others may read it.
func TestKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "key.nk")
	first, err := makeKey(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := makeKey(path)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := first.PublicKey()
	if b, _ := second.PublicKey(); a != b {
		t.Errorf("the key was made twice: %s, %s", a, b)
	}
	account, err := nkeys.CreateAccount()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := account.Seed()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text string
		mode os.FileMode
		want string
	}{
		{"", 0o600, "holds no NKey seed"},
		{string(seed), 0o600, "holds a seed that is not that of a user"},
		{string(seed), 0o644, "other users may read this key"},
	} {
		path := filepath.Join(t.TempDir(), "key.nk")
		if err := os.WriteFile(path, []byte(test.text), test.mode); err != nil {
			t.Fatal(err)
		}
		if _, err := loadKey(path); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %q", test.text, err, test.want)
		}
	}
	if _, err := loadKey(filepath.Join(dir, "missing")); err == nil || !strings.Contains(err.Error(), "the key that signs batches: open") {
		t.Errorf("error %v", err)
	}
}
