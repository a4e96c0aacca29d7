package blank

import (
	"debug/elf"
	"debug/gosym"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// Calls writes a copy of the executable src to dst in which the calls of some functions, given by
// their full names, do nothing. If here is not nil, only calls at places for which it returns true are
// overwritten. It returns the number of calls that were overwritten, and of those that were found.
func Calls(dst, src string, functions []string, here func(file string, line int) bool) (blanked, found int, err error) {
	image, err := os.ReadFile(src)
	if err != nil {
		return 0, 0, err
	}
	f, err := elf.Open(src)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w; calls are overwritten in ELF files only", src, err)
	}
	defer f.Close()
	calls, ok := machines[f.Machine]
	if !ok {
		return 0, 0, fmt.Errorf("%s: calls are not overwritten on %v", src, f.Machine)
	}
	targets, err := addresses(f, functions)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", src, err)
	}
	text := f.Section(".text")
	if text == nil {
		return 0, 0, fmt.Errorf("%s has no section .text", src)
	}
	var places *gosym.Table
	if here != nil {
		if places, err = lines(f, text.Addr); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", src, err)
		}
	}
	code := image[text.Offset : text.Offset+text.Size]
	for at := 0; at+calls.length <= len(code); at += calls.step {
		target, ok := calls.target(code[at:], text.Addr+uint64(at))
		if !ok || !targets[target] {
			continue
		}
		found++
		if here != nil {
			if file, line, fn := places.PCToLine(text.Addr + uint64(at)); fn == nil || !here(file, line) {
				continue
			}
		}
		copy(code[at:], calls.nothing)
		blanked++
	}
	return blanked, found, os.WriteFile(dst, image, 0o777)
}

// addresses returns the addresses of functions. At least one of them must be in the symbol table.
func addresses(f *elf.File, functions []string) (map[uint64]bool, error) {
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, name := range functions {
		wanted[name], wanted[name+".abi0"] = true, true
	}
	list := map[uint64]bool{}
	for _, s := range symbols {
		if wanted[s.Name] && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			list[s.Value] = true
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the symbol table has none of %v", functions)
	}
	return list, nil
}

// lines returns the table of the places of instructions.
func lines(f *elf.File, text uint64) (*gosym.Table, error) {
	s := f.Section(".gopclntab")
	if s == nil {
		return nil, errors.New("no section .gopclntab")
	}
	data, err := s.Data()
	if err != nil {
		return nil, err
	}
	return gosym.NewTable(nil, gosym.NewLineTable(data, text))
}

// A machine knows the calls of a processor.
type machine struct {
	step, length int                                         // of instructions that may be calls, in bytes
	nothing      []byte                                      // as long as a call
	target       func(code []byte, pc uint64) (uint64, bool) // of the instruction at pc
}

var machines = map[elf.Machine]machine{
	// A call is the byte e8 and the distance from its end. The same bytes may be a part of another instruction,
	// but hardly with the distance to one of the functions.
	elf.EM_X86_64: {1, 5, []byte{0x0f, 0x1f, 0x44, 0x00, 0x00}, func(code []byte, pc uint64) (uint64, bool) {
		return pc + 5 + uint64(int64(int32(binary.LittleEndian.Uint32(code[1:])))), code[0] == 0xe8
	}},
	elf.EM_AARCH64: {4, 4, []byte{0x1f, 0x20, 0x03, 0xd5}, func(code []byte, pc uint64) (uint64, bool) {
		word := binary.LittleEndian.Uint32(code)
		return pc + uint64(int64(int32(word<<6)>>6)*4), word>>26 == 0x25
	}},
}
