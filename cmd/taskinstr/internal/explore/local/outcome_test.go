package local

import (
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
	"taskinstr/cmd/taskinstr/internal/explore/batch"
)

const deadlock = `fatal error: all goroutines are asleep - deadlock!

goroutine 1 [chan receive]:
testing.(*T).Run(0xc0000b0008, {0x689b75, 0xc}, 0x7a8fb0)
	/usr/local/go/src/testing/testing.go:2109 +0x945
main.main()
	_testmain.go:50 +0x9b

goroutine 8 [sync.WaitGroup.Wait, 2 minutes]:
sync.(*WaitGroup).Wait(0xc0000162e0)
	/usr/local/go/src/sync/waitgroup.go:206 +0xf3
example.com/m/bank.TestTransfer(0xc0000b0248)
	/home/u/bank/bank_test.go:27 +0x115

goroutine 9 [sync.Mutex.Lock]:
sync.(*Mutex).Lock(...)
	/usr/local/go/src/sync/mutex.go:46
example.com/m/bank.Transfer(0xc0000162c0, 0xc0000162d0, 0xa)
	/home/u/bank/bank.go:42 +0x85
created by sync.(*WaitGroup).Go in goroutine 8
	/usr/local/go/src/sync/waitgroup.go:238 +0x73

goroutine 10 [sync.Mutex.Lock]:
example.com/m/bank.Transfer(0xc0000162d0, 0xc0000162c0, 0x14)
	/home/u/bank/bank.go:42 +0x85
`

const panicked = `panic: index 7 out of range [recovered, repanicked]

goroutine 34 [running]:
testing.tRunner.func1.2({0x1, 0x2})
	/usr/local/go/src/testing/testing.go:1 +0x1
panic({0x1, 0x2})
	/usr/local/go/src/runtime/panic.go:1 +0x1
example.com/m/bank.(*Pool).Get(0x1)
	/home/u/bank/pool.go:9 +0x1
`

func fatal(out string) *batch.Finding {
	return (&outcome{out: out}).fatal(&batch.Batch{Package: "p", Test: "TestX"})
}

// A fingerprint depends on neither numbers of goroutines, addresses, times nor folders.
func TestFatal(t *testing.T) {
	f := fatal("=== something\n" + deadlock)
	if f == nil || f.Kind != batch.Deadlock || f.Title != "sync.Mutex.Lock in bank.Transfer at /home/u/bank/bank.go:42; sync.WaitGroup.Wait in bank.TestTransfer at /home/u/bank/bank_test.go:27" {
		t.Fatalf("%+v", f)
	}
	same := strings.NewReplacer("goroutine 9", "goroutine 99", "/home/u", "/builds/x", "0xc0000162d0", "0x1", ", 2 minutes", "").Replace(deadlock)
	if g := fatal(same); g.Fingerprint != f.Fingerprint {
		t.Error("the same deadlock has another fingerprint")
	}
	if g := fatal(strings.ReplaceAll(deadlock, "bank.go:42", "bank.go:43")); g.Fingerprint == f.Fingerprint {
		t.Error("another deadlock has the same fingerprint")
	}
	p := fatal(panicked)
	if p == nil || p.Kind != batch.Panic || p.Title != "panic: index 7 out of range in bank.(*Pool).Get at /home/u/bank/pool.go:9" {
		t.Fatalf("%+v", p)
	}
	if q := fatal(strings.Replace(panicked, "index 7", "index 8", 1)); q.Fingerprint != p.Fingerprint {
		t.Error("the same panic has another fingerprint")
	}
	if f := fatal("PASS\n"); f != nil {
		t.Errorf("%+v", f)
	}
}

func TestFailures(t *testing.T) {
	for _, test := range []struct{ name, out, want string }{
		{"one", "--- FAIL: TestX (0.00s)\n    x_test.go:3: a log\n    x_test.go:5: got 1\nFAIL\n", "TestX: x_test.go:5: got 1"},
		{"two", "--- FAIL: TestX (0.00s)\n    x_test.go:5: got 1\n--- FAIL: TestY (0.00s)\n    y_test.go:5: got 1\nFAIL\n", "TestX: x_test.go:5: got 1|TestY: y_test.go:5: got 1"},
		{"subtest", "--- FAIL: TestX (0.00s)\n    --- FAIL: TestX/a (0.00s)\n        x_test.go:9: no\nFAIL\n", "TestX/a: x_test.go:9: no"},
		{"race only", "--- FAIL: TestX (0.00s)\n    testing.go:1712: race detected during execution of test\nFAIL\n", ""},
		{"race and more", "--- FAIL: TestX (0.00s)\n    x_test.go:5: got 1\n    testing.go:1712: race detected during execution of test\nFAIL\n", "TestX: x_test.go:5: got 1"},
		{"silent", "--- FAIL: TestX (0.00s)\nFAIL\n", "TestX has failed"},
		{"passes", "ok\n", ""},
	} {
		var got []string
		for _, f := range (&outcome{out: test.out}).failures(&batch.Batch{Package: "p"}) {
			got = append(got, f.Title)
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	a := (&outcome{out: "--- FAIL: TestX (0.10s)\n    x_test.go:5: got 1\n"}).failures(&batch.Batch{})
	b := (&outcome{out: "--- FAIL: TestX (0.20s)\n    x_test.go:5: got 2\n"}).failures(&batch.Batch{})
	if a[0].Fingerprint != b[0].Fingerprint {
		t.Error("the same failure has another fingerprint")
	}
}

// What a test with a race logs is no failure of its own.
func TestLogged(t *testing.T) {
	dir := t.TempDir()
	source := "package x\n\nfunc TestX(t *testing.T) {\n\tt.Logf(\"%d\", 3)\n\tt.Errorf(\"no\")\n}\n"
	testfile.Write(t, filepath.Join(dir, "x_test.go"), source)
	const race = "    testing.go:1712: race detected during execution of test\n"
	for messages, want := range map[string]int{
		"    x_test.go:4: 3\n" + race:                          0,
		"    x_test.go:4: 3\n":                                 1,
		"    x_test.go:4: 3\n    x_test.go:5: no\n" + race:     1,
		"    x_test.go:5: no\n    x_test.go:4: 3\n" + race:     1,
		"    x_test.go:99: no\n" + race:                        1,
		"    other_test.go:4: no\n    x_test.go:4: 3\n" + race: 1,
	} {
		o := &outcome{dir: dir, out: "--- FAIL: TestX (0.00s)\n" + messages + "FAIL\n"}
		if got := o.failures(&batch.Batch{Package: "x"}); len(got) != want {
			t.Errorf("%q: %d failures, want %d", messages, len(got), want)
		}
	}
}

func TestSteps(t *testing.T) {
	if n := Steps("taskinstr schedule 1\nseed 1\nmain 3\nlet @1 main.1\nmain.1\n@1.2 15\nclock 7\nmain.2 | main.1:1 main.2:2r\noutside.1\nexit\n# use 8 9 1\n# graph 0\n"); n != 21 {
		t.Errorf("%d steps, want 21", n)
	}
	if n := Steps(""); n != 0 {
		t.Errorf("%d steps in no record", n)
	}
}

func TestSwitches(t *testing.T) {
	if n := Switches("taskinstr schedule 1\nstrategy random:1\nseed 1\npoints all\nmain 3\nlet @1 main.1\nmain.1\n@1.2 5\n@1.2\noutside.1\nexit\n# graph 0\n"); n != 3 {
		t.Errorf("%d switches", n)
	}
	if n := Switches(""); n != 0 {
		t.Errorf("%d switches without a record", n)
	}
}

func TestStrategy(t *testing.T) {
	for name, want := range map[string]string{"random": "random:7", "pct:d=3": "pct:7,d=3"} {
		if got := Strategy(name, 7); got != want {
			t.Errorf("%s becomes %s", name, got)
		}
	}
}
