// Command predicted has a race that one run cannot show: the manager audits
// the vault after the clerk has filled it, and both have used the log's lock
// in between, so that this run orders the two by accident. Had the manager
// come first, nothing would keep the two apart. go build -race says nothing;
// taskinstr prints a predicted data race and the program ends with 0.
package main

import (
	"fmt"
	"sync"
	"time"
)

// A Journal is a log that several people write.
type Journal struct {
	mu    sync.Mutex
	pages [2][]string
}

// Note writes on the page of one person.
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
		time.Sleep(50 * time.Millisecond) // the manager comes late, today
		journal.Note(manager, "opened the vault")
		if vault == 0 {
			fmt.Println("the vault is empty")
		}
	})
	people.Wait()
	fmt.Println("vault", vault)
}
