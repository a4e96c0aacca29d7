package optimize

func affine(m *maker) {}
