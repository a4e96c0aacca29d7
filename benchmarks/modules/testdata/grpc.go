// Command grpc serves the test service of grpc's interoperability tests on the loopback
// device: single calls and streams, on two connections.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	pb "google.golang.org/grpc/interop/grpc_testing"
)

const (
	connections = 2
	callers     = 4   // of each connection
	calls       = 200 // of each caller
	messages    = 200 // of each stream, one stream a caller
)

type service struct {
	pb.UnimplementedTestServiceServer
}

func (service) UnaryCall(ctx context.Context, in *pb.SimpleRequest) (*pb.SimpleResponse, error) {
	body := make([]byte, in.GetResponseSize())
	copy(body, in.GetPayload().GetBody())
	return &pb.SimpleResponse{Payload: &pb.Payload{Body: body}}, nil
}

func (service) FullDuplexCall(stream pb.TestService_FullDuplexCallServer) error {
	for {
		in, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := stream.Send(&pb.StreamingOutputCallResponse{Payload: in.GetPayload()}); err != nil {
			return err
		}
	}
}

func main() {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	server := grpc.NewServer()
	pb.RegisterTestServiceServer(server, service{})
	go server.Serve(l)

	var wg sync.WaitGroup
	for range connections {
		conn := must(grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials())))
		defer conn.Close()
		client := pb.NewTestServiceClient(conn)
		for range callers {
			wg.Go(func() { call(client) })
			wg.Go(func() { stream(client) })
		}
	}
	wg.Wait()
	server.GracefulStop()
}

func call(client pb.TestServiceClient) {
	for range calls {
		out := must(client.UnaryCall(context.Background(), &pb.SimpleRequest{
			ResponseSize: 300,
			Payload:      &pb.Payload{Body: []byte("a request of a few words")},
		}))
		if n := len(out.GetPayload().GetBody()); n != 300 {
			log.Fatalf("the answer has %d bytes, want 300", n)
		}
	}
}

func stream(client pb.TestServiceClient) {
	s := must(client.FullDuplexCall(context.Background()))
	for i := range messages {
		check(s.Send(&pb.StreamingOutputCallRequest{Payload: &pb.Payload{Body: make([]byte, i)}}))
		out := must(s.Recv())
		if n := len(out.GetPayload().GetBody()); n != i {
			log.Fatalf("the message has %d bytes, want %d", n, i)
		}
	}
	check(s.CloseSend())
	if _, err := s.Recv(); !errors.Is(err, io.EOF) {
		log.Fatalf("the stream ends with %v, want EOF", err)
	}
}
