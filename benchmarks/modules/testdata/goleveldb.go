// Command goleveldb fills a log-structured store in memory in four tasks while four others
// look up keys and scan. The write buffer is small, so that the store compacts its tables.
package main

import (
	"fmt"
	"log"
	"sync"
	"sync/atomic"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/util"
)

const (
	writers = 4
	readers = 4
	keys    = 5000 // of each writer
	batch   = 10
)

func key(w, i int) []byte { return fmt.Appendf(nil, "key-%d-%06d", w, i*7919%keys) }

func main() {
	db := must(leveldb.Open(storage.NewMemStorage(), &opt.Options{WriteBuffer: 64 << 10, CompactionTableSize: 64 << 10}))
	var wg sync.WaitGroup
	var found atomic.Int64
	for w := range writers {
		wg.Go(func() {
			b := new(leveldb.Batch)
			for i := range keys {
				b.Put(key(w, i), fmt.Appendf(nil, "value %d of writer %d, which is a few words long", i, w))
				if b.Len() == batch {
					check(db.Write(b, nil))
					b.Reset()
				}
			}
		})
	}
	for r := range readers {
		wg.Go(func() {
			for i := range keys {
				if _, err := db.Get(key(r, i), nil); err == nil {
					found.Add(1)
				} else if err != leveldb.ErrNotFound {
					log.Fatal(err)
				}
				if i%500 == 0 {
					scan(db, r)
				}
			}
		})
	}
	wg.Wait()
	for w := range writers {
		if n := scan(db, w); n != keys {
			log.Fatalf("%d keys of writer %d, want %d", n, w, keys)
		}
	}
	check(db.Close())
}

// scan counts the keys of one writer.
func scan(db *leveldb.DB, w int) (n int) {
	it := db.NewIterator(util.BytesPrefix(fmt.Appendf(nil, "key-%d-", w)), nil)
	defer it.Release()
	for it.Next() {
		n++
	}
	check(it.Error())
	return n
}
