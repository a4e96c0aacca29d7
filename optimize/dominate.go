package optimize

func dominate(m *maker) {}
