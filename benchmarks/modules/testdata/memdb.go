// Command memdb writes transactions to a database of immutable radix trees while six
// tasks read snapshots and a watcher waits for each change.
package main

import (
	"fmt"
	"log"
	"sync"

	"github.com/hashicorp/go-memdb"
)

const (
	readers      = 6
	transactions = 400 // of the writer, and of each reader
	rows         = 20  // of each transaction
)

type host struct {
	Name string
	Rack string
	Load int
}

var schema = &memdb.DBSchema{Tables: map[string]*memdb.TableSchema{
	"host": {Name: "host", Indexes: map[string]*memdb.IndexSchema{
		"id":   {Name: "id", Unique: true, Indexer: &memdb.StringFieldIndex{Field: "Name"}},
		"rack": {Name: "rack", Indexer: &memdb.StringFieldIndex{Field: "Rack"}},
		"load": {Name: "load", Indexer: &memdb.IntFieldIndex{Field: "Load"}},
	}},
}}

func main() {
	db := must(memdb.NewMemDB(schema))
	var wg sync.WaitGroup
	changed := make(chan (<-chan struct{}), transactions)
	wg.Go(func() {
		defer close(changed)
		for i := range transactions {
			txn := db.Txn(false)
			it := must(txn.Get("host", "id"))
			changed <- it.WatchCh()
			write(db, i)
		}
	})
	wg.Go(func() {
		for ch := range changed {
			<-ch
		}
	})
	for r := range readers {
		wg.Go(func() {
			for range transactions {
				if n := count(db, "rack", fmt.Sprintf("rack%d", r%5)); n%4 != 0 {
					log.Fatalf("a reader sees %d hosts, part of a transaction", n)
				}
			}
		})
	}
	wg.Wait()
	if n := count(db, "id"); n != 10*rows {
		log.Fatalf("%d hosts, want %d", n, 10*rows)
	}
}

// write inserts or replaces the hosts of transaction i, four in each of five racks.
func write(db *memdb.MemDB, i int) {
	txn := db.Txn(true)
	defer txn.Abort()
	for k := range rows {
		h := &host{Name: fmt.Sprintf("host%d-%d", i%10, k), Rack: fmt.Sprintf("rack%d", k%5), Load: i + k}
		check(txn.Insert("host", h))
	}
	txn.Commit()
}

// count returns the number of hosts with the given values of an index.
func count(db *memdb.MemDB, index string, values ...any) (n int) {
	txn := db.Txn(false)
	defer txn.Abort()
	it := must(txn.Get("host", index, values...))
	for h := it.Next(); h != nil; h = it.Next() {
		if h.(*host).Name == "" {
			log.Fatal("a host without a name")
		}
		n++
	}
	return n
}
