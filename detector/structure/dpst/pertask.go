package dpst

// A PerTask maps tasks to values without a hash. Tasks are numbered in the order of their
// creation, so live tasks occupy few pages. A page is freed when all its tasks have
// ended.
type PerTask[T any] struct {
	pages []*taskPage[T]
	spare *taskPage[T]
}

const taskPageSize = 256

type taskPage[T any] struct {
	values  [taskPageSize]T
	dropped int
}

// At returns the value of a task, zero at first.
func (p *PerTask[T]) At(task uint32) *T {
	i := int(task / taskPageSize)
	for i >= len(p.pages) {
		p.pages = append(p.pages, nil)
	}
	page := p.pages[i]
	if page == nil {
		page = p.spare
		p.spare = nil
		if page == nil {
			page = new(taskPage[T])
		}
		p.pages[i] = page
	}
	return &page.values[task%taskPageSize]
}

// Peek returns the value of a task, nil or a zero one if the task was dropped.
func (p *PerTask[T]) Peek(task uint32) *T {
	if i := int(task / taskPageSize); i < len(p.pages) && p.pages[i] != nil {
		return &p.pages[i].values[task%taskPageSize]
	}
	return nil
}

// Drop frees the value of a task that has ended. It is called once for each task.
func (p *PerTask[T]) Drop(task uint32) {
	var zero T
	*p.At(task) = zero
	i := task / taskPageSize
	page := p.pages[i]
	if page.dropped++; page.dropped == taskPageSize {
		page.dropped = 0
		p.pages[i], p.spare = nil, page
	}
}

// All calls f for the value of each task that may still run.
func (p *PerTask[T]) All(f func(task uint32, v *T)) {
	for i, page := range p.pages {
		if page == nil {
			continue
		}
		for j := range page.values {
			f(uint32(i*taskPageSize+j), &page.values[j])
		}
	}
}
