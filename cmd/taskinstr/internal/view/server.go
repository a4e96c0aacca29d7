package view

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"time"
)

// A server has the page at one address of the loopback interface. The address has a token, so
// that other users of the computer and pages of other servers cannot ask for it.
type server struct {
	listener net.Listener
	token    string
	load     func() (*Page, error)
}

func newServer(load func() (*Page, error)) (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &server{l, rand.Text(), load}, nil
}

func (s *server) address() string {
	return "http://" + s.listener.Addr().String() + "/" + s.token + "/"
}

// run serves until the context ends.
func (s *server) run(ctx context.Context) error {
	h := http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second}
	defer context.AfterFunc(ctx, func() { h.Close() })()
	if err := h.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ServeHTTP implements http.Handler. The name in the request must be the address itself: a
// page of another server whose name leads here (DNS rebinding) gets nothing.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	switch {
	case r.Host != s.listener.Addr().String(), r.URL.Path != "/"+s.token+"/":
		http.Error(w, "there is nothing here; the address that taskinstr view has printed ends in a token", http.StatusNotFound)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "the page can only be read", http.StatusMethodNotAllowed)
		return
	}
	var b bytes.Buffer
	p, err := s.load()
	if err == nil {
		err = p.Write(&b)
	}
	if err != nil {
		http.Error(w, "the inputs cannot be read: "+err.Error(), http.StatusInternalServerError)
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	w.Write(b.Bytes())
}
