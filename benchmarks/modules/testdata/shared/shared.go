// The functions that all drivers share.
package main

import (
	"bytes"
	"fmt"
	"log"
)

func init() { log.SetFlags(0) }

// check ends the program if there is an error.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// must returns the result of a call, and ends the program if the call has failed.
func must[T any](result T, err error) T {
	check(err)
	return result
}

// prose returns lines of text, which are alike in part.
func prose(lines int) []byte {
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b, "line %d of the text says %d things about %x\n", i, i%17, i*i)
	}
	return b.Bytes()
}

// alike ends the program unless all tasks have the same result.
func alike[T comparable](results []T) {
	for task, r := range results {
		if r != results[0] {
			log.Fatalf("task %d has the result %v, task 0 %v", task, r, results[0])
		}
	}
}
