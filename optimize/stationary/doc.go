// Package stationary is the pass that removes the checks of reads of stationary fields: fields that nobody writes but the
// code that makes an object, before others know the object.
//
// A read that races with such a first value has a second race beside it, that of the pointer to the object,
// which its reader has taken from somewhere in spite of the missing order. This race is reported, as package fresh
// explains for the first value.
//
// The pass needs, for every access of the site, that the field is stationary (ssapass.Stationary has the
// conditions), and that all packages of the program have checks. What other packages do to values of the
// type as a whole is known when the program is linked. So a check that this pass removes is made after all
// if the linker finds a package that overwrites values of the type (splice.Fate.Final): in the
// program it is a test of a variable that the linker sets.
//
// The pass runs behind affine, whose scans cost less in a loop than a test, and before hoist, whose flags cost a
// check for each loop.
//
// Source: Unkel and Lam, Automatic Inference of Stationary Fields (POPL 2008); see ssapass.Stationary for
// the departures.
package stationary
