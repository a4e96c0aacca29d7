package suite

import (
	"reflect"
	"testing"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/reports"
)

func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		finding batch.Finding
		want    []reports.Located
	}{
		{batch.Finding{Kind: batch.Deadlock, Title: "sync.Mutex.Lock in a.F at /src/a.go:4; chan send in a.G at /src/my b.go:5"},
			[]reports.Located{{Position: "/src/a.go:4", Text: "sync.Mutex.Lock in a.F at /src/a.go:4"}, {Position: "/src/my b.go:5", Text: "chan send in a.G at /src/my b.go:5"}}},
		{batch.Finding{Kind: batch.Failure, Title: "TestX: x_test.go:7: want 1: got 2"}, []reports.Located{{Position: "/src/p/x_test.go:7", Text: "TestX: x_test.go:7: want 1: got 2"}}},
		{batch.Finding{Kind: batch.Panic, Title: "panic: send on closed channel in a.F at /src/a.go:9"}, []reports.Located{{Position: "/src/a.go:9", Text: "panic: send on closed channel in a.F at /src/a.go:9"}}},
		{batch.Finding{Kind: batch.Timeout, Title: "the test has not ended within 3s", Text: "chan receive in a.F at /src/a.go:2\n\nSIGQUIT: quit at /x.go:1"},
			[]reports.Located{{Position: "/src/a.go:2", Text: "chan receive in a.F at /src/a.go:2"}}},
		{batch.Finding{Kind: batch.Crash, Title: "the test has ended with exit status 3"}, nil},
	} {
		if got := places(&test.finding, "/src/p"); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.finding.Title, got, test.want)
		}
	}
}
