package raytracer

import (
	"fmt"
	"sync"
)

// A picture is square; its pixels are 0xRRGGBB, row by row.
type picture struct {
	size   int
	pixels []uint32

	mu       sync.Mutex
	checksum uint64 // the sum of all channels
}

func run(size int, racy bool) error {
	p := &picture{size: size, pixels: make([]uint32, size*size)}
	sc := newScene()
	var wg sync.WaitGroup
	for y := range size {
		wg.Go(func() {
			sum := p.render(sc, y)
			if racy && y%2 == 0 {
				p.checksum += sum
				return
			}
			p.mu.Lock()
			p.checksum += sum
			p.mu.Unlock()
		})
	}
	wg.Wait()
	if racy {
		return nil
	}
	return p.check(sc)
}

// render fills a row and returns its part of the checksum.
func (p *picture) render(s *scene, y int) uint64 {
	sum := uint64(0)
	for x := range p.size {
		c := p.pixel(s, x, y)
		p.pixels[y*p.size+x] = c
		sum += channels(c)
	}
	return sum
}

// pixel traces the ray from the eye through a point of a window of width 1 at distance 1.
func (p *picture) pixel(s *scene, x, y int) uint32 {
	n := float64(p.size)
	d := vector{(float64(x)+0.5)/n - 0.5, 0.5 - (float64(y)+0.5)/n, 1}
	c := s.trace(ray{s.eye, d.unit()}, 0)
	return level(c.x)<<16 | level(c.y)<<8 | level(c.z)
}

func level(v float64) uint32 { return uint32(255 * min(v, 1)) }

func channels(c uint32) uint64 { return uint64(c>>16 + c>>8&0xff + c&0xff) }

// check compares the checksum with the picture, and a sample of the picture with pixels
// that are rendered again.
func (p *picture) check(s *scene) error {
	sum, lit := uint64(0), 0
	for _, c := range p.pixels {
		sum += channels(c)
		if c != 0 {
			lit++
		}
	}
	if sum != p.checksum {
		return fmt.Errorf("checksum %d, want %d", p.checksum, sum)
	}
	if n := p.size * p.size; lit < n/5 || lit > n*19/20 {
		return fmt.Errorf("%d of %d pixels show a sphere", lit, n)
	}
	const every = 61
	for i := 0; i < len(p.pixels); i += every {
		if want := p.pixel(s, i%p.size, i/p.size); p.pixels[i] != want {
			return fmt.Errorf("pixel %d is %06x, want %06x", i, p.pixels[i], want)
		}
	}
	return nil
}
