package serve

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// The server answers at its address alone, and only to requests that name it.
func TestServer(t *testing.T) {
	const page, policy = "<p>acct</p>", "default-src 'none'"
	broken := false
	s, err := New(policy, func(w io.Writer) error {
		if broken {
			return os.ErrNotExist
		}
		_, err := io.WriteString(w, page)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	ask := func(method, url, host string) (int, string, http.Header) {
		req, err := http.NewRequest(method, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			req.Host = host
		}
		r, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(text), r.Header
	}
	root := "http://" + s.listener.Addr().String()
	code, text, header := ask("GET", s.Address(), "")
	if code != 200 || text != page || !strings.HasPrefix(header.Get("Content-Type"), "text/html") {
		t.Errorf("the page: %d, %v", code, header)
	}
	if got := header.Get("Content-Security-Policy"); got != policy+"; frame-ancestors 'none'" {
		t.Errorf("policy %s", got)
	}
	for _, test := range []struct {
		method, url, host string
		code              int
	}{
		{"GET", root + "/", "", 404},
		{"GET", root + "/" + s.token[1:] + "/", "", 404},
		{"GET", s.Address() + "../etc/passwd", "", 404},
		{"GET", s.Address(), "evil.example", 404},
		{"POST", s.Address(), "", 405},
	} {
		if code, text, _ := ask(test.method, test.url, test.host); code != test.code || strings.Contains(text, "acct") || strings.Contains(text, s.token) {
			t.Errorf("%+v: %d", test, code)
		}
	}
	broken = true
	if code, text, _ := ask("GET", s.Address(), ""); code != 500 || !strings.Contains(text, "cannot be read") {
		t.Errorf("an input that has gone: %d %s", code, text)
	}
	if !strings.HasPrefix(s.listener.Addr().String(), "127.0.0.1:") || len(s.token) < 26 {
		t.Errorf("address %s", s.Address())
	}
	stop()
	if err := <-done; err != nil {
		t.Errorf("the end: %v", err)
	}
}
