package drdp

import "taskinstr/detector/event"

// counts holds the counters of the algorithm: the columns of the paper's tables 2 to 4.
type counts struct {
	tasks, sets             int64
	reads, writes           int64
	readBytes, writtenBytes int64
	treeJoins               int64 // ends of tasks for which a scope of the tree waits
	joins, ordered          int64 // Gets, and the Gets that the tree orders anyway
	checks                  int64 // pairs of accesses of different tasks
	searches, visited       int64
	least, most             int64 // minimum and maximum of the points visited by a search
	unset                   int64 // Gets of promises that are not set
	escaped                 int64 // tasks whose scope is not in the tree
	atomics, outside        int64
	protected               int64 // pairs that a lock protects
}

func (c *counts) search(visited int64) {
	if c.searches == 0 || visited < c.least {
		c.least = visited
	}
	c.searches++
	c.visited += visited
	c.most = max(c.most, visited)
}

func (d *detector) counters() []event.Counter {
	c := &d.count
	all := []event.Counter{
		{Name: "tasks", Value: c.tasks + 1},
		{Name: "promises set", Value: c.sets},
		{Name: "height", Value: int64(d.tree.Height)},
		{Name: "write checks", Value: c.writes},
		{Name: "read checks", Value: c.reads},
		{Name: "bytes written", Value: c.writtenBytes},
		{Name: "bytes read", Value: c.readBytes},
		{Name: "tree joins", Value: c.treeJoins},
		{Name: "non-tree joins", Value: c.joins},
		{Name: "non-tree joins that the tree orders", Value: c.ordered},
		{Name: "reachability checks", Value: c.checks},
		{Name: "searches", Value: c.searches},
		{Name: "least points visited", Value: c.least},
		{Name: "most points visited", Value: c.most},
		{Name: "points visited", Value: c.visited},
		{Name: "tree queries", Value: d.tree.Queries},
		{Name: "nodes kept", Value: int64(d.tree.Len())},
		{Name: "points kept", Value: int64(d.points.Len())},
		{Name: "races", Value: d.spans.Races},
		{Name: "pairs that a lock protects", Value: c.protected},
	}
	for _, o := range []event.Counter{
		{Name: "outside the model: locks", Value: d.locks.Taken},
		{Name: "outside the model: atomic accesses", Value: c.atomics},
		{Name: "outside the model: tasks of scopes around others", Value: c.escaped},
		{Name: "outside the model: scopes", Value: d.tree.Escaped},
		{Name: "outside the model: promises got before they are set", Value: c.unset},
		{Name: "outside the model: other", Value: c.outside},
	} {
		if o.Value > 0 {
			all = append(all, o)
		}
	}
	return all
}
