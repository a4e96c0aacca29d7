package toolexec

func skip(path string) bool { return true }
func spliceChecks(c *call, path string, k *checked) (*output, error) {
	return nil, nil
}
