// Package ssapass and the packages below it look at a program before it is
// compiled: they find its memory accesses and put checks into its source.
//
// splice rewrites the source text of one type-checked package.
package ssapass
