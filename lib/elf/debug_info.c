/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads DWARF with libdw; see debug_info.h.
 */
#include <stdlib.h>

#include "elf/debug_priv.h"

struct debug_info *debug_info_open(struct elf_file *file)
{
	struct debug_info *d = mem_zero(1, sizeof(*d));
	struct elf_file *debug = elf_file_debug(file);

	d->eh = dwarf_getcfi_elf(elf_file_handle(file));
	d->dwarf =
	    debug ? dwarf_begin_elf(elf_file_handle(debug), DWARF_C_READ, NULL) : NULL;
	if (!d->dwarf)
		d->dwarf = dwarf_begin_elf(elf_file_handle(file), DWARF_C_READ, NULL);
	return d;
}

/* A row of rules while it is copied from libdw. */
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
			continue; /* keeps its value */
		/* libdw reports registers without a rule as undefined; most are preserved.
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

static int compare_starts(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Reads the ranges from the units, because not every compiler writes .debug_aranges. */
static void find_ranges(struct debug_info *d)
{
	Dwarf_Off next, die_at;
	size_t header;
	Dwarf_Die unit;

	d->ranged = true;
	for (Dwarf_Off at = 0;
	     dwarf_nextcu(d->dwarf, at, &next, &header, NULL, NULL, NULL) == 0; at = next) {
		Dwarf_Addr base, start, end;
		ptrdiff_t more = 0;

		die_at = at + header;
		if (!dwarf_offdie(d->dwarf, die_at, &unit))
			continue;
		while ((more = dwarf_ranges(&unit, more, &base, &start, &end)) > 0)
			*VEC_ADD(d->range, d->ranges, d->range_cap) =
			    (struct unit_range){ start, end, die_at };
	}
	if (d->ranges)
		qsort(d->range, d->ranges, sizeof(*d->range), compare_starts);
}

static const struct unit_range *range_of(const struct debug_info *d, uint64_t address)
{
	size_t low = 0, high = d->ranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (d->range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < d->range[low - 1].end ? &d->range[low - 1] : NULL;
}

bool debug_info_line(struct debug_info *d, uint64_t address, const char **file, int *line)
{
	const struct unit_range *range;
	const char *path, *slash;
	Dwarf_Line *found;
	Dwarf_Die unit;

	if (d->dwarf && !d->ranged)
		find_ranges(d);
	range = range_of(d, address);
	if (!range || !dwarf_offdie(d->dwarf, range->unit, &unit) ||
	    !(found = dwarf_getsrc_die(&unit, address)) ||
	    !(path = dwarf_linesrc(found, NULL, NULL)) || dwarf_lineno(found, line) != 0)
		return false;
	slash = strrchr(path, '/');
	*file = slash ? slash + 1 : path;
	return true;
}

void debug_info_close(struct debug_info *d)
{
	if (!d)
		return;
	if (d->eh)
		dwarf_cfi_end(d->eh);
	if (d->dwarf)
		dwarf_end(d->dwarf);
	free(d->range);
	free(d);
}
