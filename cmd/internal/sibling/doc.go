// Package sibling lets one command of this module start another: the product starts the
// laboratory for its self-tests and the farm for workers, and the laboratory needs the product as
// the tool under test.
package sibling
