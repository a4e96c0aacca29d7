package local

import (
	"strings"
	"testing"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
)

const leaked = `PASS
taskinstr: goroutine 7 of TestSend is left behind, blocked for good:

goroutine 7 [chan send]:
example.com/m/queue.work(...)
	/home/u/queue/queue_test.go:11
created by sync.(*WaitGroup).Go in goroutine 5
	/usr/local/go/src/sync/waitgroup.go:238 +0x73
started by:
sync.(*WaitGroup).Go(...)
	/usr/local/go/src/sync/waitgroup.go:238
example.com/m/queue.TestSend(...)
	/home/u/queue/queue_test.go:16

taskinstr: goroutine 8 of TestSend is left behind:

goroutine 8 [running]:
	goroutine running on other thread; stack unavailable
created by example.com/m/queue.TestSend in goroutine 5
	/home/u/queue/queue_test.go:17 +0xa5
started by:
example.com/m/queue.TestSend(...)
	/home/u/queue/queue_test.go:17

`

func leaks(out, test string) []*batch.Finding {
	return (&outcome{out: out}).leaks(&batch.Batch{Package: "p", Test: test})
}

func TestLeaks(t *testing.T) {
	titles := func(list []*batch.Finding) string {
		var all []string
		for _, f := range list {
			all = append(all, f.Title)
		}
		return strings.Join(all, "\n")
	}
	got := leaks(leaked, "TestSend")
	for _, want := range []string{
		"blocked for good: chan send in queue.work at /home/u/queue/queue_test.go:11; started in queue.TestSend at /home/u/queue/queue_test.go:16",
		"still there: running; started in queue.TestSend at /home/u/queue/queue_test.go:17",
	} {
		if len(got) != 2 || !strings.Contains(titles(got), want) {
			t.Errorf("%s\nhas no %s", titles(got), want)
		}
	}
	// Numbers, folders and what else lives are no part of a fingerprint; places are.
	same := strings.NewReplacer("goroutine 7", "goroutine 70", "/home/u", "/builds/x", ", blocked for good", "").Replace(leaked)
	for i, f := range leaks(same, "TestSend") {
		if f.Fingerprint != got[i].Fingerprint {
			t.Errorf("the same leak has another fingerprint: %s", f.Title)
		}
	}
	other := leaks(strings.ReplaceAll(leaked, "queue_test.go:16", "queue_test.go:15"), "TestSend")
	if titles(other) == titles(got) || other[0].Fingerprint == got[0].Fingerprint && other[1].Fingerprint == got[1].Fingerprint {
		t.Error("a goroutine that was started elsewhere has the same fingerprint")
	}
	// The same leak, twice, is one finding with both stacks; a run of several tests names the test.
	twice := leaks(leaked+strings.ReplaceAll(leaked, "goroutine 7", "goroutine 9"), "")
	if len(twice) != 2 || !strings.Contains(titles(twice), "; left behind by TestSend") || strings.Count(twice[0].Text+twice[1].Text, "started by:") != 4 {
		t.Errorf("%s", titles(twice))
	}
	if list := leaks("PASS\n", "TestSend"); len(list) > 0 {
		t.Errorf("%s", titles(list))
	}
}
