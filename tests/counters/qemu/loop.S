/* SPDX-License-Identifier: GPL-3.0-or-later */
// A static program that executes 40,000,005 instructions: 20,000,000 times two, and five others.
	.global _start
_start:
	mov x0, #0x2d00
	movk x0, #0x131, lsl #16
1:	sub x0, x0, #1
	cbnz x0, 1b
	mov x0, #0
	mov x8, #93 // exit
	svc #0
