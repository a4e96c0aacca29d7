//go:build !taskinstr_runtime

#include "textflag.h"

// func hostFence()
TEXT ·hostFence(SB),NOSPLIT|NOFRAME,$0-0
	DMB	$0xe // ISHST
	RET
