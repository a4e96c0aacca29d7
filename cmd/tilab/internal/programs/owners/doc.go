// Package owners writes random Go programs whose objects belong to one task at a time, and compares their reports with the races that they have.
//
// A case has a type of its own. Its owner takes an object from a pool and puts it back, or makes it in an exported function of a
// library and returns it. Between these it uses the object in a few steps. In one of the steps another task may get a pointer to the
// object, to a part of it, or to an array that belongs to it, in one of many ways (shares in program.go), some of which package ssapass accepts for an owner, and some
// not. That task reads or writes one field. The owner waits for it before a later step, or at the end. So the case has a race if the owner
// accesses the field meanwhile, and one of the two writes. Two tasks use a returned object, in order or not.
package owners
