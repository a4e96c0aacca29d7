package mem

import "unsafe"

// A Zeroed is a range of n bytes. Bytes never written read as zero. The system supplies pages when
// they are touched.
type Zeroed struct {
	Base uintptr
	n    uintptr
}

// Init reserves n bytes.
func (z *Zeroed) Init(n uintptr) {
	z.n = n
	z.Base = uintptr(Map(n))
}

// At32 returns the i-th of the numbers of 4 bytes, At64 of 8 bytes.
//
//go:nosplit
func (z *Zeroed) At32(i uintptr) *uint32 { return (*uint32)(unsafe.Add(nil, z.Base+i*4)) }

//go:nosplit
func (z *Zeroed) At64(i uintptr) *uint64 { return (*uint64)(unsafe.Add(nil, z.Base+i*8)) }

// Close gives the addresses back, if Init has reserved them.
func (z *Zeroed) Close() {
	if z.Base != 0 {
		Free(unsafe.Add(nil, z.Base), z.n)
		z.Base = 0
	}
}
