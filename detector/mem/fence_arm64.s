//go:build !taskinstr_runtime

#include "textflag.h"

// func Fence()
TEXT ·Fence(SB),NOSPLIT|NOFRAME,$0-0
	DMB	$0xe // ISHST
	RET
