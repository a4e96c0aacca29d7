// Package peak tells the largest resident set of a process that this one starts,
// in bytes; 0 where the system does not tell.
package peak
