// Package sibling lets one command of this module start another: the product starts the
// laboratory for its self-tests, the farm for workers, and taskinstr-show for charts and pages, and
// the laboratory needs the product as the tool under test.
package sibling
