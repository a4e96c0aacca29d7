// Package main waits for nobody. It uses no package that needs cgo, with which Go's
// runtime notices no deadlock.
package main

import "sync"

func main() {
	var mu sync.Mutex
	mu.Lock()
	go func() { mu.Lock() }()
	<-make(chan int)
}
