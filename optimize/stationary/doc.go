// Package stationary is the pass that removes the checks of reads of stationary fields: fields that nobody writes but the
// code that makes an object, before others know the object.
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
// Source: Unkel and Lam, Automatic Inference of Stationary Fields (POPL 2008); see ssapass.Stationary for
// the departures.
package stationary
