package main

// Class: initial value beside tasks

var (
	ahead slot[bool]
	began = begin(watcher{})
	table = map[string]int{"a": 1}
)

type watcher struct{}

func (watcher) watch() {
	sink(table)
	ahead.put(new(bool))
}

// begin starts a task that reads the table, which the order of initialization cannot see.
func begin(w interface{ watch() }) bool {
	go w.watch()
	return true
}

func (racy) InitialValue() {
	ahead.await()
}
