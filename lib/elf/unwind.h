/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unwinding of a copied stack by call frame information (DWARF 5, section 6.4): registers
 * and a piece of stack in, the addresses of the frames out. Pure: where the rules come from
 * is the caller's business.
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
	UNWIND_AT, /* the expression is the address where the caller's value was saved */
	UNWIND_IS, /* the expression is the caller's value */
};

struct unwind_rule {
	uint8_t reg; /* DWARF's number */
	enum unwind_kind kind;
	uint16_t first, ops; /* of the row's operations */
};

/* What holds at an address. A register without a rule keeps its value. */
struct unwind_row {
	struct unwind_op *op;
	struct unwind_rule *rule;
	size_t rules;
	uint16_t cfa_ops; /* the first operations: the canonical frame address */
	uint8_t return_reg;
	bool is_signal; /* what it returns to was interrupted, it did not call */
};

enum { UNWIND_REGISTERS = 33, UNWIND_FRAMES_MAX = 512 };

struct unwind_machine {
	uint8_t sp, fp, pc; /* DWARF's numbers; pc: where expressions expect it */
	uint64_t address_mask;
};
extern const struct unwind_machine unwind_machine; /* this one */
/* DWARF's number of a register that the kernel numbers so in samples; -1: of no use. */
int unwind_register(unsigned kernels);

struct unwind_state {
	const struct unwind_machine *machine;
	uint64_t reg[UNWIND_REGISTERS];
	const unsigned char *stack; /* from reg[sp] upwards as it was sampled */
	size_t stack_size;
	uint64_t stack_start;
};

/* The row that holds at an address, or NULL: then the frame pointer is followed. */
typedef const struct unwind_row *unwind_lookup(void *ctx, uint64_t address);

/*
 * Fills out with where each frame is, innermost first: the first one exactly, callers at
 * their call (the return address less one). Returns how many.
 */
size_t unwind(struct unwind_state *s, unwind_lookup *lookup, void *ctx,
    uint64_t out[UNWIND_FRAMES_MAX]);
/* Returns whether an expression, which is not empty, says where a value is or what. */
enum unwind_kind unwind_kind_of(const struct unwind_op *op, size_t ops);
void unwind_row_free(struct unwind_row *row);

#endif
