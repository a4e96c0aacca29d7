package model

import (
	"fmt"
	"path/filepath"
	"runtime"
)

// Sites numbers the places of programs that produce events. The numbers hold for all runs
// with the same table.
type Sites struct {
	numbers map[uintptr]uint32
	pcs     []uintptr
}

func (s *Sites) number(pc uintptr) uint32 {
	n, ok := s.numbers[pc]
	if !ok {
		if s.numbers == nil {
			s.numbers = map[uintptr]uint32{}
		}
		s.pcs = append(s.pcs, pc)
		n = uint32(len(s.pcs))
		s.numbers[pc] = n
	}
	return n
}

// Place returns the file and line of a site.
func (s *Sites) Place(site uint32) string {
	if site == 0 || int(site) > len(s.pcs) {
		return "unknown place"
	}
	f, _ := runtime.CallersFrames(s.pcs[site-1 : site]).Next()
	return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
}

// site returns the number of the place that called the caller of site.
func (m *machine) site() uint32 {
	if m.sites == nil {
		return 0
	}
	var pc [1]uintptr
	runtime.Callers(3, pc[:]) // skips Callers, site and the method
	return m.sites.number(pc[0])
}
