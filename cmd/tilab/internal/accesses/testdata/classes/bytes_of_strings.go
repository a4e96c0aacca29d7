package main

// Class: bytes of strings
//
// A switch looks at the bytes of a string, which are written before the string exists.
// The variable that holds the string is checked.

//go:noinline
func port(protocol string) int {
	switch protocol {
	case "tcp4":
		return 1
	case "tcp6":
		return 2
	case "udp4":
		return 3
	case "udp6":
		return 4
	case "icmp":
		return 5
	case "sctp":
		return 6
	case "unix":
		return 7
	case "quic":
		return 8
	case "dccp":
		return 9
	}
	return 0
}

func (fixed) StringBytes() {
	p := string([]byte("udp6"))
	parallel(
		func() { sink(port(p)) },
		func() { sink(port(p)) },
	)
}

func (racy) StringVariable() {
	p := "udp6"
	parallel(
		func() { p = "tcp4" },    // want race: p
		func() { sink(port(p)) }, // want race: p
	)
}
