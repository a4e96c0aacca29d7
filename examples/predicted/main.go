// Command predicted has a race that a single run hides: the manager audits the
// vault after the clerk has filled it, and both have used the journal's lock in
// between, which orders the two by accident. If the manager comes first, nothing
// orders them. A program built with go build -race reports nothing; taskinstr
// reports a predicted data race, and the program ends with status 0.
package main

import (
	"fmt"
	"sync"
	"time"
)

// A Journal is a log that several people write to.
type Journal struct {
	mu    sync.Mutex
	pages [2][]string
}

// Note appends a line to the page of one person.
func (j *Journal) Note(person int, text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	page := &j.pages[person]
	*page = append(*page, text)
}

func main() {
	const clerk, manager = 0, 1
	var journal Journal
	vault := 0
	var people sync.WaitGroup
	people.Go(func() {
		vault = 1000
		journal.Note(clerk, "filled the vault")
	})
	people.Go(func() {
		time.Sleep(50 * time.Millisecond) // today the manager comes late
		journal.Note(manager, "opened the vault")
		if vault == 0 {
			fmt.Println("the vault is empty")
		}
	})
	people.Wait()
	fmt.Println("vault", vault)
}
