// Package completion completes command lines in shells.
//
// A shell loads a small script (files), which gives the line up to the cursor to
// "taskinstr complete SHELL LINE" and offers what that prints. So the candidates come from
// one function for all shells, and from the same help texts that users read: the flags of a
// command are those that its help lists.
package completion
