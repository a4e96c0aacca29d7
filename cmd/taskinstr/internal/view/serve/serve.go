package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

// A Server has a page at one address of the loopback interface. The address has a token, so
// that other users of the computer and pages of other servers cannot ask for it.
type Server struct {
	listener net.Listener
	token    string
	policy   string
	page     func(io.Writer) error
}

// New returns a server of the page that page writes, each time that the page is asked for. policy is the
// content security policy of the page.
func New(policy string, page func(io.Writer) error) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &Server{l, rand.Text(), policy, page}, nil
}

// Address returns the address of the page.
func (s *Server) Address() string {
	return "http://" + s.listener.Addr().String() + "/" + s.token + "/"
}

// Run serves until the context ends.
func (s *Server) Run(ctx context.Context) error {
	h := http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second}
	defer context.AfterFunc(ctx, func() { h.Close() })()
	if err := h.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ServeHTTP implements http.Handler. The name in the request must be the address itself: a
// page of another server whose name leads here (DNS rebinding) gets nothing.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", s.policy+"; frame-ancestors 'none'")
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
	if err := s.page(&b); err != nil {
		http.Error(w, "the inputs cannot be read: "+err.Error(), http.StatusInternalServerError)
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	w.Write(b.Bytes())
}
