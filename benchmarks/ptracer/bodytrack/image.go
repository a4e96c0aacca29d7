package bodytrack

import (
	"math/rand/v2"
	"sync"
)

const (
	width, height = 96, 96
	bright, dark  = 200, 50
	noise         = 60 // that a pixel is off at most
	rows          = 8  // that a task smooths
)

// A picture has the brightness of each pixel, row by row.
type picture [height * width]float32

// draw returns the image of a pose.
func draw(p *pose, r *rand.Rand) *picture {
	pic := new(picture)
	ps := p.parts()
	for y := range height {
		for x := range width {
			v := float32(dark)
			if ps.covers(place{float64(x), float64(y)}) {
				v = bright
			}
			pic[y*width+x] = v + noise*(2*r.Float32()-1)
		}
	}
	return pic
}

// smooth starts tasks that set dst to src, averaged over the neighbors of each pixel.
func (dst *picture) smooth(src *picture) *sync.WaitGroup {
	wg := new(sync.WaitGroup)
	for y := 0; y < height; y += rows {
		wg.Go(func() {
			for v := y; v < min(y+rows, height); v++ {
				dst.smoothRow(src, v)
			}
		})
	}
	return wg
}

func (dst *picture) smoothRow(src *picture, y int) {
	for x := range width {
		sum, count := float32(0), float32(0)
		for v := max(y-1, 0); v <= min(y+1, height-1); v++ {
			for u := max(x-1, 0); u <= min(x+1, width-1); u++ {
				sum += src[v*width+u]
				count++
			}
		}
		dst[y*width+x] = sum / count
	}
}

// grain is the distance of the pixels that a silhouette is compared at.
const grain = 3

// miss returns the mean square by which the image differs from a silhouette.
func (pic *picture) miss(p *pose) float64 {
	ps := p.parts()
	sum, count := 0.0, 0
	for y := 1; y < height; y += grain {
		for x := 1; x < width; x += grain {
			want := float32(dark)
			if ps.covers(place{float64(x), float64(y)}) {
				want = bright
			}
			d := float64(pic[y*width+x] - want)
			sum += d * d
			count++
		}
	}
	return sum / float64(count)
}

// sequence draws all images.
func sequence(in input) []*picture {
	r := rand.New(rand.NewPCG(26, 27))
	list := make([]*picture, in.images)
	for i := range list {
		p := walking(i)
		list[i] = draw(&p, r)
	}
	return list
}

func run(in input, racy bool) error {
	f := newFilter(in)
	for i, raw := range sequence(in) {
		wg := f.image.smooth(raw)
		if !racy || i > 0 {
			wg.Wait()
		}
		found := f.track()
		wg.Wait()
		if racy {
			continue
		}
		if err := f.check(i, &found); err != nil {
			return err
		}
	}
	return nil
}
