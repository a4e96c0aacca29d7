// Command nats starts a message server on the loopback device; four publishers send to
// four subscribers, and a tenth of the messages are requests that get a reply.
package main

import (
	"fmt"
	"log"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

const (
	subscribers = 4
	publishers  = 4
	messages    = 1000 // of each publisher
)

func main() {
	s := must(server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true}))
	go s.Start()
	if !s.ReadyForConnections(time.Minute) {
		log.Fatal("the server does not start")
	}
	var received atomic.Int64
	var all sync.WaitGroup
	all.Add(subscribers)
	for range subscribers {
		conn := connect(s)
		n := 0
		must(conn.Subscribe("t.*", func(m *nats.Msg) {
			received.Add(int64(len(m.Data)))
			if m.Reply != "" {
				m.Respond([]byte("ok"))
			}
			if n++; n == publishers*messages {
				all.Done()
			}
		}))
		conn.Flush()
	}
	var wg sync.WaitGroup
	for range publishers {
		wg.Go(func() { publish(connect(s)) })
	}
	wg.Wait()
	all.Wait()
	want := int64(subscribers * publishers * (messages/10*len(request) + messages*9/10*len(notice)))
	if n := received.Load(); n != want {
		log.Fatalf("%d bytes arrived, want %d", n, want)
	}
	s.Shutdown()
}

const (
	request = "a request that wants an answer"
	notice  = "a message of a few words"
)

func connect(s *server.Server) *nats.Conn {
	return must(nats.Connect(s.ClientURL()))
}

func publish(conn *nats.Conn) {
	for i := range messages {
		subject := fmt.Sprintf("t.%d", i%7)
		var err error
		if i%10 == 0 {
			_, err = conn.Request(subject, []byte(request), time.Minute)
		} else {
			err = conn.Publish(subject, []byte(notice))
		}
		check(err)
	}
	conn.Flush()
}
