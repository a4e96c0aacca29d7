// Package pools writes random Go programs whose objects come from pools, and compares their reports with the races that they have.
//
// A case has a type of its own, whose objects a pool holds. Its owner takes an object, uses it in a few steps, and puts
// it back. In one of the steps another task may get a pointer to the object, or to a part of it, in one of many ways (shares in
// program.go), some of which package ssapass accepts for pooled types, and some not. That task reads or writes one field.
// The owner waits for it before a later step, or at the end. So the case has a race if the owner accesses
// the field meanwhile, and one of the two writes.
package pools
