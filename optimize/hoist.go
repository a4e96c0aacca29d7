package optimize

func hoist(m *maker) {}
