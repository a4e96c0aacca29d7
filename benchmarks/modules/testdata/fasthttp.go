// Command fasthttp serves HTTP on the loopback device with fasthttp, which pools requests
// and buffers; eight clients send requests.
package main

import (
	"bytes"
	"fmt"
	"log"
	"net"
	"sync"
	"sync/atomic"

	"github.com/valyala/fasthttp"
)

const (
	clients  = 8
	requests = 600 // of each client
)

func main() {
	var served atomic.Int64
	server := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) {
		served.Add(1)
		ctx.Response.Header.Set("X-Path", string(ctx.Path()))
		ctx.SetContentType("text/plain")
		for k, v := range ctx.QueryArgs().All() {
			fmt.Fprintf(ctx, "%s=%s;", k, v)
		}
		ctx.Write(ctx.PostBody())
	}}
	l := must(net.Listen("tcp4", "127.0.0.1:0"))
	go server.Serve(l)

	client := &fasthttp.HostClient{Addr: l.Addr().String(), MaxConns: clients}
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for i := range requests {
				request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
				request.SetRequestURI(fmt.Sprintf("http://%s/item/%d?client=%d&i=%d", l.Addr(), i%16, c, i))
				request.Header.SetMethod("POST")
				request.SetBodyString("a body of a few words")
				check(client.Do(request, response))
				want := fmt.Appendf(nil, "client=%d;i=%d;a body of a few words", c, i)
				if !bytes.Equal(response.Body(), want) {
					log.Fatalf("the answer is %q, want %q", response.Body(), want)
				}
				fasthttp.ReleaseRequest(request)
				fasthttp.ReleaseResponse(response)
			}
		})
	}
	wg.Wait()
	if n := served.Load(); n != clients*requests {
		log.Fatalf("%d requests were served, want %d", n, clients*requests)
	}
}
