// Package pooled is the pass that removes the checks of objects that a sync.Pool hands from task to task: the state of a
// printer, an encoder or a request, which a task takes from the pool, uses alone, and puts back.
//
// The pool orders a Put before the Get that returns the object, so accesses of two owners do not race; and an owner's own
// accesses race with none, as long as the package hands the object to nobody else. ssapass.Pooled has the conditions, which concern
// all code of the package that declares the type.
//
// An object may become known to other code after all: a printer is an argument of the method Format of a user's type. In front of such a
// statement the program sets a variable, and from there on makes the checks of these types (splice.Fate.Pooled). Accesses
// before it need none: those of the same owner precede the leak, and those of earlier owners precede its Get. Code
// that learns of the object without being ordered after the leak reads a pointer that is written without order, and this race is
// reported. A type that other code gets in a statement with a label keeps its checks.
//
// Arrays that belong to such an object, as the bytes that a printer has printed, have a variable of their own (ssapass/poollists.go):
// more statements hand these on. w.Write(p.buf) does so unless w is a writer of std that copies (rt/files/runtime/pool.go). Single values of an append keep their checks.
//
// The pass has no paper. It takes from ownership types (Boyapati, Lee and Rinard, Ownership Types for Safe Programming, OOPSLA 2002) the
// idea that a type's objects are reached from their owner alone, infers it, and lets a pool change the owner.
package pooled
