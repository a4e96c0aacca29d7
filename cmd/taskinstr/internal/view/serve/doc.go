// Package serve shows one page to the browsers of this computer. It is linked into taskinstr-show
// alone: net/http makes the start of a program longer, and with package net, programs are linked
// dynamically.
package serve
