// Command dns answers queries over UDP and TCP on the loopback device; four clients of
// each send them.
package main

import (
	"fmt"
	"log"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/miekg/dns"
)

const (
	clients = 4
	queries = 300 // of each client and network
	retries = 10  // of a query whose datagram is lost
)

func main() {
	var served atomic.Int64
	mux := dns.NewServeMux()
	mux.HandleFunc("example.org.", func(w dns.ResponseWriter, q *dns.Msg) {
		served.Add(1)
		m := new(dns.Msg).SetReply(q)
		name := q.Question[0].Name
		for i := range 4 {
			m.Answer = append(m.Answer, &dns.A{
				Hdr: dns.RR_Header{Name: name, Rrtype: dns.TypeA, Class: dns.ClassINET, Ttl: 60},
				A:   net.IPv4(127, 0, 0, byte(i)),
			})
		}
		m.Extra = append(m.Extra, &dns.TXT{
			Hdr: dns.RR_Header{Name: name, Rrtype: dns.TypeTXT, Class: dns.ClassINET, Ttl: 60},
			Txt: []string{"a text", "of two strings"},
		})
		m.Compress = true
		w.WriteMsg(m)
	})
	packets := must(net.ListenPacket("udp", "127.0.0.1:0"))
	streams := must(net.Listen("tcp", "127.0.0.1:0"))
	servers := []*dns.Server{{PacketConn: packets, Handler: mux}, {Listener: streams, Handler: mux, MaxTCPQueries: -1}}
	var started sync.WaitGroup
	for _, s := range servers {
		started.Add(1)
		s.NotifyStartedFunc = started.Done
		go s.ActivateAndServe()
	}
	started.Wait()

	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() { ask("udp", packets.LocalAddr().String(), c) })
		wg.Go(func() { ask("tcp", streams.Addr().String(), c) })
	}
	wg.Wait()
	for _, s := range servers {
		check(s.Shutdown())
	}
	if n := served.Load(); n < 2*clients*queries {
		log.Fatalf("%d queries were answered, want %d", n, 2*clients*queries)
	}
}

// ask sends the queries of one client on one connection.
func ask(network, address string, c int) {
	client := &dns.Client{Net: network, Timeout: 5 * time.Second}
	conn := must(client.Dial(address))
	defer conn.Close()
	for i := range queries {
		q := new(dns.Msg).SetQuestion(fmt.Sprintf("host%d.client%d.example.org.", i, c), dns.TypeA)
		var answer *dns.Msg
		var err error
		for range retries {
			if answer, _, err = client.ExchangeWithConn(q, conn); err == nil {
				break
			}
		}
		check(err)
		if len(answer.Answer) != 4 || len(answer.Extra) != 1 {
			log.Fatalf("%s: the answer is\n%v", network, answer)
		}
	}
}
