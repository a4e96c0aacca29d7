// Package stationary is the pass that removes the checks of reads of stationary fields: fields that nobody writes but the
// code that makes an object, before others know the object. It also removes the records of atomic loads of fields that, besides this code, only atomic
// operations write.
//
// If a read races with such a first value, then so does an earlier read of the same task, of the pointer to the object,
// with the store that published the pointer. The detector reports this race, as package fresh explains for the
// first value.
//
// The pass needs, for every access of the site, that the field is stationary (ssapass.Stationary has the
// conditions), and that all packages of the program have checks. Other packages may overwrite values of the
// type as a whole, which only the linker's call sees. It then sets a variable, and the program makes the
// check after all (splice.Fate.Final).
//
// The pass runs behind affine, whose scans cost less in a loop than a test, and before hoist, whose flags cost a
// check for each loop.
//
// # Atomic loads
//
// A field that atomic operations write as well has loads that race with nothing: atomic operations do not race with each
// other, and a first value precedes them, or there is the race of the pointer. So the detector need not record such a load. It
// still orders the task behind the store. Such a call of a function of sync/atomic, or of the method of one of its types, goes to another function (splice.Load), which
// records the load if another package overwrites values of the struct, and in critical sections, which an atomic write under
// the same lock must follow. Stores and read-modify-writes are recorded, since plain
// reads may race with them.
//
// Source: Unkel and Lam, Automatic Inference of Stationary Fields (POPL 2008); see ssapass.Stationary for
// the departures.
package stationary
