// Package shadow maps each byte of memory to a cell, the state of the byte in a detector
// ([Memory]). A cell may refer to records of accesses ([Records]) and to other values with
// numbers ([Slab]).
//
// A page covers [PageSize] bytes. Each of its cells represents the same number of bytes,
// a power of two called the granule. A new page has one cell. If an access begins or ends
// inside a granule, the granules are halved until it does not. So answers are exact to
// the byte for accesses of any size, while memory accessed in whole words, rows or pages
// has one cell for each word, row or page. When an access to a whole page has made its
// cells equal, the page gets a single cell again.
//
// A lookup compares the page of the last access first and then uses a hash table with
// open addressing. The package allocates only slices of cells, and keeps them for later
// pages.
package shadow
