package main

//go:noinline
func head[T ~string | ~[]byte](s T) byte { return s[0] } // want(racy/BytesOrString) race: s[0]

func (racy) BytesOrString() {
	b := make([]byte, 1)
	parallel(
		func() { b[0] = 1 }, // want(racy/BytesOrString) race: b[0]
		func() { sink(head(b)) },
	)
}
