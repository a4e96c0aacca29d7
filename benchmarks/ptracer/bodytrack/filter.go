package bodytrack

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"taskinstr/benchmarks/ptracer/blocks"
)

const layers = 5

// A particle is a guess of the pose.
type particle struct {
	pose   pose
	miss   float64
	weight float64
	random *rand.Rand
}

type filter struct {
	input
	image     *picture // smooth
	particles []particle
	spare     []pose
	random    *rand.Rand

	mu   sync.Mutex
	best particle // of a layer: the one that misses least
}

// newFilter is told the first pose, as trackers are.
func newFilter(in input) *filter {
	f := &filter{input: in, image: new(picture), particles: make([]particle, in.particles), random: rand.New(rand.NewPCG(28, 29))}
	f.spare = make([]pose, in.particles)
	for i := range f.particles {
		f.particles[i] = particle{pose: walking(0), random: rand.New(rand.NewPCG(30, uint64(i)))}
	}
	return f
}

// track returns the pose in the image.
func (f *filter) track() pose {
	const shrink = 0.6 // of the scatter from layer to layer
	scatter := 1.0
	for range layers {
		f.best.miss = math.Inf(1)
		blocks.Each(f.input.particles, f.block, func(lo, hi int) { f.compare(lo, hi, scatter) })
		f.weigh()
		f.resample()
		scatter *= shrink
	}
	return f.best.pose
}

// compare scatters the particles [lo, hi) and compares them with the image.
func (f *filter) compare(lo, hi int, scatter float64) {
	best := particle{miss: math.Inf(1)}
	for i := lo; i < hi; i++ {
		p := &f.particles[i]
		for k := range p.pose {
			p.pose[k] += scatter * deviation(k) * p.random.NormFloat64()
		}
		p.miss = f.image.miss(&p.pose)
		if p.miss < best.miss {
			best = *p
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if best.miss < f.best.miss {
		f.best = best
	}
}

// deviation is how much a number of the pose changes from one image to the next.
func deviation(number int) float64 {
	if number == hipX || number == hipY {
		return 1
	}
	return 0.12
}

// weigh gives more weight to particles that miss less than the others.
func (f *filter) weigh() {
	mean := 0.0
	for i := range f.particles {
		mean += f.particles[i].miss - f.best.miss
	}
	mean /= float64(len(f.particles))
	const selective = 5
	sum := 0.0
	for i := range f.particles {
		p := &f.particles[i]
		p.weight = math.Exp(-selective * (p.miss - f.best.miss) / (mean + 1e-9))
		sum += p.weight
	}
	for i := range f.particles {
		f.particles[i].weight /= sum
	}
}

// resample copies each particle as often as its weight says.
func (f *filter) resample() {
	n := len(f.particles)
	mark, sum, k := f.random.Float64()/float64(n), 0.0, 0
	for i := range f.particles {
		for sum += f.particles[i].weight; mark < sum && k < n; mark += 1 / float64(n) {
			f.spare[k] = f.particles[i].pose
			k++
		}
	}
	for ; k < n; k++ { // the sum may be a bit below 1
		f.spare[k] = f.best.pose
	}
	for i := range f.particles {
		f.particles[i].pose = f.spare[i]
	}
}

// tolerance bounds the mean distance of the joints, in pixels; a part of an arm is 12 long.
const tolerance = 3

func (f *filter) check(image int, found *pose) error {
	want := walking(image)
	if d := found.distance(&want); !(d < tolerance) {
		return fmt.Errorf("image %d: the joints are %g pixels off in the mean, want below %d", image, d, tolerance)
	}
	return nil
}
