// Command script runs a program of package script over package rt/task:
//
//	script [-mutex] PROGRAM
//
// With -mutex isolated sections are those of a Mutex.
package main

import (
	"context"
	"fmt"
	"os"
	"sync"

	"taskinstr/cmd/taskinstr/internal/explore/script"
	"taskinstr/rt/task"
)

var (
	variables [script.Variables]int
	mu        sync.Mutex
	byMutex   bool
)

// machine is the task.
type machine struct{ t *task.Task }

func (m machine) Async(body func(script.Machine)) {
	m.t.Async(func(t *task.Task) { body(machine{t}) })
}

func (m machine) Finish(body func()) { m.t.Finish(body) }

func (m machine) Isolated(body func()) {
	if !byMutex {
		m.t.Isolated(body)
		return
	}
	mu.Lock()
	defer mu.Unlock()
	body()
}

func (m machine) Load(i int) int { return variables[i] }

func (m machine) Store(i, x int) { variables[i] = x }

func main() {
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "-mutex" {
		byMutex, args = true, args[1:]
	}
	if len(args) != 1 {
		fmt.Fprintln(os.Stderr, "usage: script [-mutex] PROGRAM")
		os.Exit(2)
	}
	p, err := script.Parse(args[0])
	if err == nil {
		err = task.Finish(context.Background(), func(t *task.Task) { p.Run(machine{t}) })
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
