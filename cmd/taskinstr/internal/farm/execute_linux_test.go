package farm

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"taskinstr/cmd/internal/testfile"
)

// child returns an executor that starts this test binary.
func child(t *testing.T) *Child {
	t.Helper()
	return &Child{Command: []string{"/usr/bin/env", roleVar + "=batch", os.Args[0]}, Memory: 256 << 20}
}

func job(t *testing.T, b *fakeBatch) *Job {
	t.Helper()
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "dir")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return &Job{ID: b.id(), Payload: text, Dir: dir}
}

// A batch in a process of its own has its result, and its limits of time and memory.
func TestChild(t *testing.T) {
	t.Parallel()
	c := child(t)
	b := &fakeBatch{Seed: 3, Count: 4}
	got, err := c.Execute(t.Context(), job(t, b), time.Minute)
	want, _ := json.Marshal(b.outcome())
	if err != nil || string(got) != string(want) {
		t.Errorf("result %s, error %v, want %s", got, err, want)
	}
	for _, test := range []struct {
		batch fakeBatch
		limit time.Duration
		want  string
	}{
		{fakeBatch{Fail: "no such strategy"}, time.Minute, "no such strategy"},
		{fakeBatch{Time: 60_000}, 300 * time.Millisecond, "has taken longer than 300ms and was ended"},
		{fakeBatch{Time: 60_000, Fat: 512}, time.Minute, "have taken more than 256 MiB of memory and were ended"},
	} {
		_, err := c.Execute(t.Context(), job(t, &test.batch), test.limit)
		var failure *jobError
		if !errors.As(err, &failure) || err.Error() != test.want && !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
	for text, want := range map[string]string{"echo oops >&2; exit 3": "the process of the batch has ended: exit status 3:\noops", "echo nonsense": "has written no result"} {
		c := &Child{Command: []string{"/bin/sh", "-c", text}}
		var failure *jobError
		if _, err := c.Execute(t.Context(), job(t, b), time.Minute); !errors.As(err, &failure) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	var failure *jobError
	if _, err := (&Child{Command: []string{"/no/such/program"}}).Execute(t.Context(), job(t, b), time.Minute); err == nil || errors.As(err, &failure) {
		t.Errorf("a program that does not start is an error of the machine, not %v", err)
	}
}

// No process of a batch is left, whatever group it is in, and the batch sees no secrets.
func TestChildLeavesNothing(t *testing.T) {
	t.Setenv("TASKINSTR_TEST_SECRET", "secret")
	c := &Child{Command: []string{"/bin/sh", "-c", `sleep 1000 & echo $! > pid; env > env; echo '{"result":1}'`}}
	j := job(t, &fakeBatch{})
	if _, err := c.Execute(t.Context(), j, time.Minute); err != nil {
		t.Fatal(err)
	}
	text := testfile.Read(t, filepath.Join(j.Dir, "pid"))
	var pid int
	if err := json.Unmarshal([]byte(text), &pid); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if stat, err := os.ReadFile(filepath.Join("/proc", strings.TrimSpace(text), "stat")); err != nil || strings.Contains(string(stat), ") Z ") {
			pid = 0
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if pid != 0 {
		syscall.Kill(pid, syscall.SIGKILL)
		t.Error("a process of the batch is left")
	}
	env := testfile.Read(t, filepath.Join(j.Dir, "env"))
	if strings.Contains(env, "secret") || !strings.Contains(env, "HOME="+filepath.Dir(j.Dir)+"\n") {
		t.Errorf("the environment is %s", env)
	}
}

// A batch runs in a cgroup, which is removed with all that has left the session. Where the kernel
// cannot limit the memory of the group the worker says so.
func TestCgroup(t *testing.T) {
	t.Parallel()
	parent := ""
	for _, dir := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
		if _, err := os.Stat(filepath.Join(dir, "cgroup.controllers")); err == nil {
			parent = filepath.Join(dir, "taskinstr-test-"+strconv.Itoa(os.Getpid()))
		}
	}
	if parent == "" || os.Mkdir(parent, 0o755) != nil {
		t.Skip("no cgroup v2 that this user may write")
	}
	defer os.Remove(parent)
	j := job(t, &fakeBatch{})
	c := &Child{Command: []string{"/bin/sh", "-c", `setsid sleep 1000 & cat /proc/self/cgroup > cgroup; echo '{"result":1}'`}, Cgroup: parent}
	if got, err := c.Execute(t.Context(), j, time.Minute); err != nil || string(got) != "1" {
		t.Fatalf("result %s, error %v", got, err)
	}
	text, err := os.ReadFile(filepath.Join(j.Dir, "cgroup"))
	if err != nil || !strings.Contains(string(text), "/taskinstr-"+j.ID) {
		t.Errorf("the batch ran in %s, error %v", text, err)
	}
	if left, _ := filepath.Glob(filepath.Join(parent, "taskinstr-*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
	c.Memory = 64 << 20
	if strings.Contains(testfile.Read(t, filepath.Join(parent, "cgroup.subtree_control")), "memory") {
		c.Command = child(t).Command
		_, err = c.Execute(t.Context(), job(t, &fakeBatch{Time: 5000, Fat: 512}), time.Minute)
		if err == nil || !strings.Contains(err.Error(), "more than 64 MiB of memory") {
			t.Errorf("error %v", err)
		}
	} else if _, err := c.Execute(t.Context(), j, time.Minute); err == nil || !strings.Contains(err.Error(), "write +memory to ") {
		t.Errorf("error %v", err)
	}
}
