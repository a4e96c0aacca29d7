// Package shadow maps each byte of memory to a cell: what a serial detector
// remembers about the byte.
//
// A page covers [PageSize] bytes. Its cells all stand for equally many bytes, a power
// of two called the granule: a new page has one cell. An access that does not begin
// and end between granules halves them until it does, so answers are exact to the
// byte whatever the sizes of accesses are, while memory that is accessed in whole
// words, rows or pages has a cell for each word, row or page. A page whose cells have
// become equal through an access of all of it gets one cell again.
//
// Pages are found through a hash table with open addressing and, before that, by
// comparison with the page of the last access. The package allocates slices of
// cells, which it keeps for the next page that has use for them, and nothing else.
package shadow
