/*
 * DWARF through libdw; see debug_info.h.
 */
#include <stdlib.h>

#include <elfutils/libdw.h>

#include "debug_info.h"

struct debug_info {
	Dwarf *dwarf;  /* of the debug file, or of the file itself */
	Dwarf_CFI *eh; /* .eh_frame, which is loaded with the program */
};

struct debug_info *debug_info_open(struct elf_file *file)
{
	struct debug_info *d = mem_zero(1, sizeof(*d));
	struct elf_file *debug = elf_file_debug(file);

	d->eh = dwarf_getcfi_elf(elf_file_handle(file));
	d->dwarf = dwarf_begin_elf(elf_file_handle(file), DWARF_C_READ, NULL);
	if (!d->dwarf && debug)
		d->dwarf = dwarf_begin_elf(elf_file_handle(debug), DWARF_C_READ, NULL);
	return d;
}

/* Operations being copied out of libdw. */
struct copy {
	struct unwind_op *op;
	size_t count, cap;
};

static void copy_ops(struct copy *c, const Dwarf_Op *ops, size_t count)
{
	for (size_t i = 0; i < count; i++)
		*VEC_ADD(c->op, c->count, c->cap) = (struct unwind_op){ ops[i].atom,
			(int64_t)ops[i].number, (int64_t)ops[i].number2 };
}

static bool copy_row(Dwarf_Frame *frame, struct unwind_row *out, uint64_t *start)
{
	struct copy c = { 0 };
	size_t rule_cap = 0, ops;
	Dwarf_Op *op, memory[3];
	Dwarf_Addr from, to;
	bool is_signal;
	int return_reg = dwarf_frame_info(frame, &from, &to, &is_signal);

	*out = (struct unwind_row){ 0 };
	if (return_reg < 0 || return_reg >= UNWIND_REGISTERS ||
	    dwarf_frame_cfa(frame, &op, &ops) != 0 || !ops)
		return false;
	copy_ops(&c, op, ops);
	out->cfa_ops = (uint16_t)ops;
	out->return_reg = (uint8_t)return_reg;
	out->is_signal = is_signal;
	*start = from;
	for (int reg = 0; reg < UNWIND_REGISTERS; reg++) {
		struct unwind_rule rule = { .reg = (uint8_t)reg,
			.first = (uint16_t)c.count };

		if (dwarf_frame_register(frame, reg, memory, &op, &ops) != 0 || !op)
			continue; /* the same as in the caller */
		/* What the rules do not mention libdw calls undefined: most is preserved.
		 */
		if (!ops && reg != return_reg)
			continue;
		if (ops) {
			copy_ops(&c, op, ops);
			rule.ops = (uint16_t)ops;
			rule.kind = unwind_kind_of(c.op + rule.first, ops);
		}
		*VEC_ADD(out->rule, out->rules, rule_cap) = rule;
	}
	out->op = c.op;
	return true;
}

bool debug_info_row(
    struct debug_info *d, uint64_t address, struct unwind_row *out, uint64_t *start)
{
	Dwarf_CFI *debug = d->dwarf ? dwarf_getcfi(d->dwarf) : NULL;
	Dwarf_Frame *frame = NULL;
	bool found;

	if ((!d->eh || dwarf_cfi_addrframe(d->eh, address, &frame) != 0) &&
	    (!debug || dwarf_cfi_addrframe(debug, address, &frame) != 0))
		return false;
	found = copy_row(frame, out, start);
	free(frame);
	return found;
}

void debug_info_close(struct debug_info *d)
{
	if (!d)
		return;
	if (d->eh)
		dwarf_cfi_end(d->eh);
	if (d->dwarf)
		dwarf_end(d->dwarf);
	free(d);
}
