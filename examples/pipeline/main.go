// Command pipeline counts words in parallel without a race: workers receive
// lines from a channel, each worker counts into a map of its own, and main
// merges the maps when all workers have ended.
package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

const text = `the quick brown fox jumps over the lazy dog
the dog sleeps and the fox runs
a quick dog is not a lazy fox`

func main() {
	lines := make(chan string)
	counts := make([]map[string]int, 4)
	var workers sync.WaitGroup
	for i := range counts {
		workers.Go(func() {
			own := map[string]int{}
			for line := range lines {
				for word := range strings.FieldsSeq(line) {
					own[word]++
				}
			}
			counts[i] = own
		})
	}
	for range 100 {
		for line := range strings.SplitSeq(text, "\n") {
			lines <- line
		}
	}
	close(lines)
	workers.Wait()

	total := map[string]int{}
	for _, own := range counts {
		for word, n := range own {
			total[word] += n
		}
	}
	for _, word := range slices.Sorted(maps.Keys(total)) {
		fmt.Println(word, total[word])
	}
}
