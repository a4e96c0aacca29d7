package main

// Class: bytes or string

//go:noinline
func head[T ~string | ~[]byte](s T) byte { return s[0] }

func (racy) BytesOrString() {
	b := make([]byte, 1)
	parallel(
		func() { b[0] = 1 },
		func() { sink(head(b)) },
	)
}
