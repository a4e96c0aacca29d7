// Package peak measures the largest resident set of a process that this one starts, in
// bytes. The result is 0 if the system does not report it.
package peak
