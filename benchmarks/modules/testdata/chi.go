// Command chi serves a small HTTP interface with chi's router and middleware on the
// loopback device; eight clients send requests.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

const (
	clients  = 8
	requests = 80 // of each kind, of each client
)

type order struct {
	ID    int      `json:"id"`
	User  string   `json:"user"`
	Items []string `json:"items"`
}

// shop holds the orders of all users.
type shop struct {
	mu     sync.RWMutex
	orders map[string][]order
}

func (s *shop) add(w http.ResponseWriter, r *http.Request) {
	var o order
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	o.User = chi.URLParam(r, "user")
	s.mu.Lock()
	o.ID = len(s.orders[o.User])
	s.orders[o.User] = append(s.orders[o.User], o)
	s.mu.Unlock()
	w.WriteHeader(http.StatusCreated)
	json.NewEncoder(w).Encode(o)
}

func (s *shop) list(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	list := s.orders[chi.URLParam(r, "user")]
	s.mu.RUnlock()
	json.NewEncoder(w).Encode(list[max(0, len(list)-10):])
}

func (s *shop) get(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(chi.URLParam(r, "n"))
	s.mu.RLock()
	list := s.orders[chi.URLParam(r, "user")]
	s.mu.RUnlock()
	if err != nil || n >= len(list) {
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(list[n])
}

func main() {
	s := &shop{orders: map[string][]order{}}
	var served atomic.Int64
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Recoverer, middleware.Throttle(clients))
	r.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			served.Add(1)
			next.ServeHTTP(w, r)
		})
	})
	r.Route("/users/{user}", func(r chi.Router) {
		r.Post("/orders", s.add)
		r.Get("/orders", s.list)
		r.With(middleware.NoCache).Get("/orders/{n}", s.get)
	})
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	server := &http.Server{Handler: r}
	go server.Serve(l)
	base := "http://" + l.Addr().String() + "/users/"

	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			user := fmt.Sprintf("user%d", c%4)
			for i := range requests {
				body, _ := json.Marshal(order{Items: []string{"bread", "milk", strconv.Itoa(i)}})
				ask(client, "POST", base+user+"/orders", body, http.StatusCreated)
				ask(client, "GET", base+user+"/orders", nil, http.StatusOK)
				ask(client, "GET", fmt.Sprintf("%s%s/orders/%d", base, user, i), nil, http.StatusOK)
			}
		})
	}
	wg.Wait()
	server.Close()
	if n := served.Load(); n != 3*clients*requests {
		log.Fatalf("%d requests were served, want %d", n, 3*clients*requests)
	}
}

// ask makes one request and ends the program unless its status is want.
func ask(c *http.Client, method, url string, body []byte, want int) {
	r := must(http.NewRequest(method, url, bytes.NewReader(body)))
	answer := must(c.Do(r))
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != want {
		log.Fatalf("%s %s: %s, %v", method, url, answer.Status, err)
	}
}
