package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"sync"
	"time"
)

// Writers of files and logs. Their locks and pools keep a file, a logger and its buffer whole. That
// one task printed before another orders nothing else, since no data passes between the two.

// nowhere opens a file to write to.
func nowhere() *os.File {
	f, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	return f
}

func (racy) PrintBefore() {
	f := nowhere()
	x := 0
	first(func() {
		x = 1 // want predicted: x
		fmt.Fprintln(f, "first")
	}, func() {
		fmt.Fprintln(f, "second")
		x = 2 // want predicted: x
	})
	sink(x)
}

func (fixed) PrintBefore() {
	f := nowhere()
	var mu sync.Mutex
	x := 0
	set := func(v int) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(f, x)
		x = v
	}
	first(func() { set(1) }, func() { set(2) })
	sink(x)
}

// WriteBefore: a write at an offset needs no lock of the writers.
func (racy) WriteBefore() {
	f := nowhere()
	x, y := 0, 0
	first(func() {
		x = 1 // want predicted 1: x
		f.Write([]byte("first"))
		y = 1 // want race 2: y
	}, func() {
		f.WriteString("second")
		x = 2 // want predicted 1: x
		f.WriteAt([]byte("third"), 0)
		y = 2 // want race 2: y
	})
	sink(x + y)
}

func (fixed) WriteBefore() {
	f := nowhere()
	x := 0
	oneByOne(func() {
		f.Write([]byte("first"))
		x = 1
	}, func() {
		x = 2
		f.WriteString("second")
		f.Close()
	})
	sink(x)
}

// LogBefore: a logger that writes to a file, and the standard logger.
func (racy) LogBefore() {
	l := log.New(nowhere(), "", log.LstdFlags|log.Lshortfile)
	l.Print("the first use of the local time is a sync.Once")
	x := 0
	first(func() {
		x = 1 // want predicted: x
		l.Print("first")
	}, func() {
		l.Printf("second %d", 2)
		x = 2 // want predicted: x
	})
	sink(x)
}

func (fixed) LogBefore() {
	l := log.New(io.Discard, "", log.LstdFlags)
	l.SetOutput(nowhere())
	x := 0
	ready := make(chan bool)
	parallel(func() {
		x = 1
		l.Print("first")
		close(ready)
	}, func() {
		<-ready
		l.Print("second")
		x = 2
	})
	sink(x)
}

// LogBuffer: both tasks write to the memory of one buffer, under the logger's lock.
func (racy) LogBuffer() {
	var b bytes.Buffer
	l := log.New(&b, "", 0)
	x := 0
	first(func() {
		x = 1 // want predicted: x
		l.Print("first")
	}, func() {
		l.Print("second")
		x = 2 // want predicted: x
	})
	sink(x + b.Len())
}

// In LogBuffer(fixed) the loggers race for nothing but the buffer, which the lock protects.
func (fixed) LogBuffer() {
	var b bytes.Buffer
	l := log.New(&b, "", 0)
	parallel(func() {
		for range 20 {
			l.Print("first")
		}
	}, func() {
		for range 20 {
			l.Print("second")
		}
	}, func() {
		l.SetPrefix("third")
		l.SetOutput(l.Writer())
	})
	sink(b.Len())
}

// StructuredLog is LogBuffer with package slog.
func (racy) StructuredLog() {
	var b bytes.Buffer
	l := slog.New(slog.NewTextHandler(&b, nil))
	l.Info("the first use of the local time is a sync.Once")
	x := 0
	first(func() {
		x = 1 // want predicted: x
		l.Info("first", "n", 1)
	}, func() {
		l.With("n", 2).Info("second")
		x = 2 // want predicted: x
	})
	sink(x + b.Len())
}

func (fixed) StructuredLog() {
	var b bytes.Buffer
	l := slog.New(slog.NewJSONHandler(&b, nil))
	parallel(func() {
		for range 20 {
			l.Info("first", "n", []int{1})
		}
	}, func() {
		for range 20 {
			l.Info("second", "s", "x")
		}
	})
	sink(b.Len())
}

// LogOther: who reads the buffer needs the logger's lock, or the end of the loggers.
func (racy) LogOther() {
	x := 0
	l := log.New(writerFunc(func(p []byte) (int, error) {
		x++ // want race: x
		return len(p), nil
	}), "", 0)
	first(func() {
		l.Print("first")
	}, func() {
		sink(x) // want race: x
	})
}

func (fixed) LogOther() {
	x := 0
	l := log.New(writerFunc(func(p []byte) (int, error) {
		x++
		return len(p), nil
	}), "", 0)
	parallel(func() { l.Print("first") }, func() { l.Print("second") })
	sink(x)
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// PipeBefore: what a reader gets from a pipe was written before, but the reader's own bytes order
// nothing for the writer.
func (racy) PipeBefore() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	x := 0
	first(func() {
		w.Write([]byte("x"))
		x = 1 // want race: x
	}, func() {
		r.Read(make([]byte, 1))
		x = 2 // want race: x
	})
	sink(x)
}

func (fixed) PipeBefore() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	x := 0
	parallel(func() {
		x = 1
		w.Write([]byte("x"))
		w.Close()
	}, func() {
		io.ReadAll(r)
		x = 2
		r.Close()
	})
	sink(x)
}

// CloseBefore: the end of a file waits for its users, and orders nothing else.
func (racy) CloseBefore() {
	f := nowhere()
	x := 0
	first(func() {
		x = 1 // want predicted: x
		f.Write([]byte("x"))
	}, func() {
		f.Close()
		x = 2 // want predicted: x
	})
	sink(x)
}

func (fixed) CloseBefore() {
	f := nowhere()
	parallel(func() { f.Write([]byte("x")) }, func() { f.Read(make([]byte, 1)) }, func() { f.Sync() }, func() { f.Close() })
}

// Interrupted: a close and a deadline come before the operation that they interrupt, and also before
// one that fails because the file is closed.
func (fixed) Interrupted() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	x, y, z := 0, 0, 0
	reading := make(chan bool)
	parallel(func() {
		reading <- true
		r.Read(make([]byte, 1)) // returns at the deadline
		y = x
		reading <- true
		r.Read(make([]byte, 1)) // returns at the close
		z = y
		if _, err := r.Read(make([]byte, 1)); err == nil {
			panic("a read of a closed pipe")
		}
	}, func() {
		<-reading
		x = 1
		r.SetReadDeadline(time.Now().Add(-time.Second))
		<-reading
		r.SetReadDeadline(time.Time{})
		time.Sleep(time.Millisecond)
		r.Fd()
		r.Close()
	})
	w.Close()
	sink(x + y + z)
}

func (racy) Interrupted() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	x := 0
	first(func() {
		r.Close()
		x = 1 // want race: x
	}, func() {
		r.Read(make([]byte, 1))
		x = 2 // want race: x
	})
	w.Close()
	sink(x)
}

// ClosedFlag: who finds the file closed comes after the close.
func (fixed) ClosedFlag() {
	f := nowhere()
	x := 0
	parallel(func() {
		x = 1
		f.Close()
	}, func() {
		for {
			if _, err := f.Write([]byte("x")); err != nil {
				break
			}
		}
		x = 2
	})
	sink(x)
}

func (racy) ClosedFlag() {
	f := nowhere()
	x := 0
	parallel(func() {
		f.Close()
		x = 1 // want race: x
	}, func() {
		for {
			if _, err := f.Write([]byte("x")); err != nil {
				break
			}
		}
		x = 2 // want race: x
	})
	sink(x)
}
