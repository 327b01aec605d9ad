/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The unwinder; see unwind.h. Each step must move up the stack, so unwinding ends
 * regardless of the bytes of the stack.
 *
 * libdw finds and decodes the rules for an address (debug_info_row()). Its unwinder,
 * dwfl_thread_getframes(3), is not used: it needs a session with all modules of a process
 * and searches the rules again for each frame of each sample. Here the rules are decoded
 * once for each range of addresses (profile/frames.c), even for processes that have ended.
 * This file is pure: the machine, the rules and the stack are arguments, so that tests can
 * unwind invented and broken stacks and rules.
 */
#include <stdlib.h>

#include "elf/dwarf_names.h"
#include "elf/unwind.h"

enum { DEPTH = 32 };

/* clang-format off */
#if defined(__x86_64__)
/* System V ABI, AMD64 supplement, figure 3.36; numbers of the kernel: asm/perf_regs.h. */
const struct unwind_machine unwind_machine = { .sp = 7, .fp = 6, .pc = 16,
	.address_mask = UINT64_MAX };
static const int8_t registers[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, -1, -1, -1, -1, -1, -1, -1,
	8, 9, 10, 11, 12, 13, 14, 15 };
#elif defined(__aarch64__)
/* DWARF for the Arm 64-bit Architecture. The mask removes a signature from an address. */
const struct unwind_machine unwind_machine = { .sp = 31, .fp = 29, .pc = 32,
	.address_mask = (UINT64_C(1) << 48) - 1 };
static const int8_t registers[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
	17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };
#else
const struct unwind_machine unwind_machine = { 0 };
static const int8_t registers[] = { -1 };
#endif
/* clang-format on */

int unwind_register(unsigned kernels)
{
	return kernels < COUNT(registers) ? registers[kernels] : -1;
}

static bool read_memory(const struct unwind_state *s, uint64_t address, uint64_t *out)
{
	uint64_t at = address - s->stack_start;

	if (address < s->stack_start || at > s->stack_size ||
	    s->stack_size - at < sizeof(*out))
		return false;
	memcpy(out, s->stack + at, sizeof(*out));
	return true;
}

/* The operands of an expression: operand[1] to operand[depth], the last of which is the
 * top; operand[0] is not used. */
struct operand_stack {
	uint64_t operand[DEPTH + 1];
	size_t depth;
};

/* Replaces one or two operands by the result of an arithmetic operation. Returns false if
 * the code is no such operation, or if operands are missing. */
static bool calculate(uint8_t code, struct operand_stack *o)
{
	uint64_t *a, b;

	if (code == DW_OP_neg || code == DW_OP_not) {
		if (!o->depth)
			return false;
		a = &o->operand[o->depth];
		*a = code == DW_OP_neg ? -*a : ~*a;
		return true;
	}
	if (o->depth < 2)
		return false;
	b = o->operand[o->depth];
	a = &o->operand[o->depth - 1];
	/* clang-format off */
	switch (code) {
	case DW_OP_plus: *a += b; break;
	case DW_OP_minus: *a -= b; break;
	case DW_OP_mul: *a *= b; break;
	case DW_OP_and: *a &= b; break;
	case DW_OP_or: *a |= b; break;
	case DW_OP_xor: *a ^= b; break;
	case DW_OP_shl: *a = b < 64 ? *a << b : 0; break;
	case DW_OP_shr: *a = b < 64 ? *a >> b : 0; break;
	case DW_OP_shra: *a = (uint64_t)((int64_t)*a >> (b < 64 ? b : 63)); break;
	case DW_OP_eq: *a = *a == b; break;
	case DW_OP_ne: *a = *a != b; break;
	case DW_OP_lt: *a = (int64_t)*a < (int64_t)b; break;
	case DW_OP_le: *a = (int64_t)*a <= (int64_t)b; break;
	case DW_OP_gt: *a = (int64_t)*a > (int64_t)b; break;
	case DW_OP_ge: *a = (int64_t)*a >= (int64_t)b; break;
	default: return false;
	}
	/* clang-format on */
	o->depth--;
	return true;
}

static bool read_register(const struct unwind_state *s, uint64_t number, uint64_t *out)
{
	if (number >= UNWIND_REGISTERS)
		return false;
	*out = s->reg[number];
	return true;
}

/* Carries out an operation that moves or changes operands but pushes none. Returns false if
 * the operation is another one, or if it fails. */
static bool change_operands(
    const struct unwind_state *s, const struct unwind_op *op, struct operand_stack *o)
{
	uint64_t *top = &o->operand[o->depth], below;

	switch (op->code) {
	case DW_OP_nop:
	case DW_OP_stack_value:
		return true;
	case DW_OP_plus_uconst:
		*top += (uint64_t)op->a;
		return o->depth > 0;
	case DW_OP_deref:
		return o->depth && read_memory(s, *top, top);
	case DW_OP_drop:
		if (!o->depth)
			return false;
		o->depth--;
		return true;
	case DW_OP_swap:
		if (o->depth < 2)
			return false;
		below = top[-1];
		top[-1] = *top;
		*top = below;
		return true;
	default:
		return calculate(op->code, o);
	}
}

/* Returns whether an operation pushes a register, plus an offset. */
static bool pushes_register(const struct unwind_op *op, uint64_t *number, uint64_t *offset)
{
	const uint8_t code = op->code;

	*offset = 0;
	if (code >= DW_OP_breg0 && code <= DW_OP_breg31) {
		*number = code - DW_OP_breg0;
		*offset = (uint64_t)op->a;
	} else if (code == DW_OP_bregx) {
		*number = (uint64_t)op->a;
		*offset = (uint64_t)op->b;
	} else if (code >= DW_OP_reg0 && code <= DW_OP_reg31)
		*number = code - DW_OP_reg0;
	else if (code == DW_OP_regx)
		*number = (uint64_t)op->a;
	else
		return false;
	return true;
}

/* Stores the value that an operation pushes. Returns false if it pushes none. */
static bool pushed_value(const struct unwind_state *s, const struct unwind_op *op,
    uint64_t cfa, const struct operand_stack *o, uint64_t *out)
{
	const uint8_t code = op->code;
	uint64_t number, offset;

	if (pushes_register(op, &number, &offset)) {
		if (!read_register(s, number, out))
			return false;
		*out += offset;
	} else if (code >= DW_OP_lit0 && code <= DW_OP_lit31)
		*out = code - DW_OP_lit0;
	else if (code >= DW_OP_const1u && code <= DW_OP_consts)
		*out = (uint64_t)op->a;
	else if (code == DW_OP_call_frame_cfa)
		*out = cfa;
	else if (code == DW_OP_dup && o->depth)
		*out = o->operand[o->depth];
	else if (code == DW_OP_over && o->depth > 1)
		*out = o->operand[o->depth - 1];
	else
		return false;
	return true;
}

/*
 * Evaluates an expression (DWARF 5, section 2.5, as far as frames use it). Returns false if
 * it has no value.
 */
static bool evaluate(const struct unwind_state *s, const struct unwind_op *op, size_t ops,
    uint64_t cfa, uint64_t *out)
{
	struct operand_stack o = { 0 };

	for (const struct unwind_op *end = op + ops; op < end; op++) {
		uint64_t pushed;

		if (change_operands(s, op, &o))
			continue;
		if (o.depth == DEPTH || !pushed_value(s, op, cfa, &o, &pushed))
			return false;
		o.operand[++o.depth] = pushed;
	}
	*out = o.operand[o.depth];
	return o.depth > 0;
}

/* Computes the registers of the caller. Returns false if there is none or it is not found.
 */
static bool unwind_frame(
    struct unwind_state *s, const struct unwind_row *row, uint64_t *address)
{
	uint64_t caller[UNWIND_REGISTERS], cfa;
	const struct unwind_machine *m = s->machine;

	if (!evaluate(s, row->op, row->cfa_ops, 0, &cfa))
		return false;
	memcpy(caller, s->reg, sizeof(caller));
	caller[m->sp] = cfa;
	for (size_t i = 0; i < row->rules; i++) {
		const struct unwind_rule *rule = &row->rule[i];
		uint64_t value;

		if (rule->kind == UNWIND_UNDEFINED) {
			if (rule->reg == row->return_reg) {
				s->complete = true;
				return false;
			}
			continue;
		}
		if (!evaluate(s, row->op + rule->first, rule->ops, cfa, &value))
			return false;
		if (rule->kind == UNWIND_AT && !read_memory(s, value, &value)) {
			if (rule->reg == row->return_reg)
				return false;
			continue; /* unknown, but it may not be needed */
		}
		caller[rule->reg] = value;
	}
	*address = caller[row->return_reg] & m->address_mask;
	/* Only a frame that pushed nothing may leave the stack pointer unchanged. */
	if (cfa < s->reg[m->sp] || (cfa == s->reg[m->sp] && *address == s->reg[m->pc]))
		return false;
	memcpy(s->reg, caller, sizeof(caller));
	s->reg[m->pc] = *address;
	return true;
}

/* Follows a frame pointer, which refers to the saved one and the return address. */
static bool step_by_pointer(struct unwind_state *s, uint64_t *address)
{
	const struct unwind_machine *m = s->machine;
	uint64_t at = s->reg[m->fp], fp;

	s->complete = at == 0; /* as the ABI marks the outermost frame */
	if (at < s->reg[m->sp] || !read_memory(s, at, &fp) ||
	    !read_memory(s, at + sizeof(fp), address))
		return false;
	*address &= m->address_mask;
	s->reg[m->fp] = fp;
	s->reg[m->sp] = at + 2 * sizeof(fp);
	s->reg[m->pc] = *address;
	return true;
}

size_t unwind(struct unwind_state *s, unwind_lookup *lookup, void *ctx,
    uint64_t out[UNWIND_FRAMES_MAX])
{
	uint64_t address = s->reg[s->machine->pc];
	bool is_call = false;
	size_t count = 0;

	while (count < UNWIND_FRAMES_MAX) {
		const struct unwind_row *row = lookup(ctx, address - is_call);

		out[count++] = address - is_call;
		if (!(row ? unwind_frame(s, row, &address) : step_by_pointer(s, &address)))
			break;
		if (!address) {
			s->complete = true;
			break;
		}
		is_call = !row || !row->is_signal;
	}
	return count;
}

enum unwind_kind unwind_kind_of(const struct unwind_op *op, size_t ops)
{
	uint8_t last = op[ops - 1].code;

	return last == DW_OP_stack_value || last == DW_OP_regx ||
	               (last >= DW_OP_reg0 && last <= DW_OP_reg31)
	           ? UNWIND_IS
	           : UNWIND_AT;
}

void unwind_row_free(struct unwind_row *row)
{
	free(row->op);
	free(row->rule);
}
