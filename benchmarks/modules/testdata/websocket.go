// Command websocket runs a chat room on the loopback device: a hub sends each message
// of eight members to all of them.
package main

import (
	"log"
	"net"
	"net/http"
	"sync"

	"github.com/gorilla/websocket"
)

const (
	members  = 8
	messages = 400 // of each member
)

// room is the hub: only its task accesses the members.
type room struct {
	join chan chan []byte
	said chan []byte
}

func (r *room) run() {
	var queues []chan []byte
	for {
		select {
		case q := <-r.join:
			queues = append(queues, q)
		case m := <-r.said:
			for _, q := range queues {
				q <- m
			}
		}
	}
}

func (r *room) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	upgrader := websocket.Upgrader{ReadBufferSize: 1024, WriteBufferSize: 1024}
	conn := must(upgrader.Upgrade(w, req, nil))
	// The queue holds all messages of the run: the hub never waits for a member.
	queue := make(chan []byte, members*messages)
	r.join <- queue
	check(conn.WriteMessage(websocket.TextMessage, []byte("welcome")))
	go func() {
		for m := range queue {
			if conn.WriteMessage(websocket.TextMessage, m) != nil {
				return // the member has left
			}
		}
	}()
	for {
		_, m, err := conn.ReadMessage()
		if err != nil {
			return // the member has left
		}
		r.said <- m
	}
}

func main() {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	r := &room{join: make(chan chan []byte), said: make(chan []byte)}
	go r.run()
	go http.Serve(l, r)

	var joined, wg sync.WaitGroup
	joined.Add(members)
	for range members {
		wg.Go(func() {
			conn, _, err := websocket.DefaultDialer.Dial("ws://"+l.Addr().String(), nil)
			check(err)
			defer conn.Close()
			if _, _, err := conn.ReadMessage(); err != nil {
				log.Fatal(err)
			}
			joined.Done()
			joined.Wait()
			wg.Go(func() {
				for range messages {
					check(conn.WriteMessage(websocket.TextMessage, []byte("a message of a few words")))
				}
			})
			for range members * messages {
				if _, _, err := conn.ReadMessage(); err != nil {
					log.Fatal(err)
				}
			}
		})
	}
	wg.Wait()
}
