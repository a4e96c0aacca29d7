package toolexec

func patchStd(c *call, path string) (*output, bool, error) { return nil, false, nil }
func skip(path string) bool                                { return true }
func splicePackage(c *call, path string, k *checked) (*output, error) {
	return nil, nil
}

// Keys returns the keys of TASKINSTR.
func Keys() [][2]string { return nil }
