/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unwinds a copied stack by call frame information (DWARF 5, section 6.4): from registers
 * and a part of the stack to the addresses of the frames. Pure: the caller provides the
 * rules.
 */
#ifndef ELF_UNWIND_H
#define ELF_UNWIND_H

#include "base/base.h"

/* An operation of a DWARF expression. */
struct unwind_op {
	uint8_t code; /* DW_OP_... */
	int64_t a, b;
};

enum unwind_kind {
	UNWIND_UNDEFINED,
	UNWIND_AT, /* the expression yields the address of the saved value of the caller */
	UNWIND_IS, /* the expression yields the value of the caller */
};

struct unwind_rule {
	uint8_t reg; /* number in DWARF */
	enum unwind_kind kind;
	uint16_t first, ops; /* the expression: a range of the operations of the row */
};

/* The rules for an address. A register without a rule keeps its value. */
struct unwind_row {
	struct unwind_op *op;
	struct unwind_rule *rule;
	size_t rules;
	uint16_t cfa_ops; /* the first operations: the canonical frame address */
	uint8_t return_reg;
	bool is_signal; /* a signal frame: its caller was interrupted and did not call */
};

enum { UNWIND_REGISTERS = 33, UNWIND_FRAMES_MAX = 512 };

struct unwind_machine {
	uint8_t sp, fp, pc; /* numbers in DWARF; pc: as used by expressions */
	uint64_t address_mask;
};
extern const struct unwind_machine
    unwind_machine; /* the machine for which this program was built */
/* Converts the kernel's number of a register in samples to that of DWARF. Returns -1 for a
 * register that is not used. */
int unwind_register(unsigned kernels);

struct unwind_state {
	const struct unwind_machine *machine;
	uint64_t reg[UNWIND_REGISTERS];
	const unsigned char *stack; /* copy, from the sampled reg[sp] upwards */
	size_t stack_size;
	uint64_t stack_start;
	bool complete; /* set by unwind(): the outermost frame was reached */
};

/* Returns the rules for an address, or NULL to follow the frame pointer. */
typedef const struct unwind_row *unwind_lookup(void *ctx, uint64_t address);

/*
 * Fills out with the address of each frame, innermost first: the exact address of the first
 * frame, and for each caller the address of its call (the return address minus one).
 * Returns the number of frames.
 */
size_t unwind(struct unwind_state *s, unwind_lookup *lookup, void *ctx,
    uint64_t out[UNWIND_FRAMES_MAX]);
/* Returns whether a nonempty expression yields the address of a value or the value. */
enum unwind_kind unwind_kind_of(const struct unwind_op *op, size_t ops);
void unwind_row_free(struct unwind_row *row);

#endif
