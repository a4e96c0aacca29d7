package report

import (
	"fmt"
	"hash/fnv"
	"io"

	"taskinstr/detector/event"
	"taskinstr/detector/trace"
	"taskinstr/detector/trace/wire"
)

// Fingerprint returns the number that identifies a race (docs/use/report-format.md).
func Fingerprint(s *trace.Symbols, a, b event.Party) uint64 {
	x, y := digest(s, a), digest(s, b)
	if x > y {
		x, y = y, x
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%016x%016x", x, y)
	return h.Sum64()
}

func digest(s *trace.Symbols, p event.Party) uint64 {
	h := fnv.New64a()
	place := s.Place(p.Site)
	io.WriteString(h, p.Kind.String()+"\n"+place.Expr()+"\n"+place.Decl()+"\n")
	user := false
	for _, c := range s.Calls(p.Site, p.Stack) {
		user = user || c.Flags&(wire.FrameHidden|wire.FrameSync) == 0
		if !user {
			continue
		}
		io.WriteString(h, c.Func+"\n")
		if c.Flags&wire.FrameOwn != 0 || c.Flags&wire.FrameStd == 0 {
			break
		}
	}
	return h.Sum64()
}
