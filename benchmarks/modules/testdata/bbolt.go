// Command bbolt reads a memory-mapped B+ tree from four tasks while one writes it.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"

	"go.etcd.io/bbolt"
)

const (
	readers      = 4
	transactions = 100 // of the writer, and of each reader
	keys         = 50  // of each transaction
)

var bucket = []byte("things")

func main() {
	dir := must(os.MkdirTemp("", "bbolt"))
	defer os.RemoveAll(dir)
	// The disk is not part of the measurement.
	db := must(bbolt.Open(filepath.Join(dir, "db"), 0o600, &bbolt.Options{NoSync: true, NoFreelistSync: true}))
	update(db, 0)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 1; i < transactions; i++ {
			update(db, i)
		}
	})
	for range readers {
		wg.Go(func() {
			for range transactions {
				if n := count(db); n%keys != 0 {
					log.Fatalf("a reader sees %d keys, part of a transaction", n)
				}
			}
		})
	}
	wg.Wait()
	if n := count(db); n != transactions*keys {
		log.Fatalf("%d keys, want %d", n, transactions*keys)
	}
	check(db.Close())
}

func update(db *bbolt.DB, i int) {
	check(db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(bucket)
		if err != nil {
			return err
		}
		for k := range keys {
			if err := b.Put(fmt.Appendf(nil, "%05d-%d", k, i), []byte("a value of a few words")); err != nil {
				return err
			}
		}
		return nil
	}))
}

func count(db *bbolt.DB) (n int) {
	check(db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucket).ForEach(func(k, v []byte) error {
			n++
			return nil
		})
	}))
	return n
}
