/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Addresses to names: a sorted table, whatever it was filled from (an ELF file, the
 * kernel's list, the map of a JIT). Pure.
 */
#ifndef ELF_SYMBOL_H
#define ELF_SYMBOL_H

#include "base/base.h"

enum symbol_rank { SYMBOL_WEAK, SYMBOL_LOCAL, SYMBOL_GLOBAL };

struct symbol {
	uint64_t start, size; /* size 0: up to the next one */
	size_t name;          /* where it begins in the table's text */
	enum symbol_rank rank;
};

/* Zero it to begin. */
struct symbols {
	struct symbol *symbol;
	size_t count, cap;
	struct buf names;
};

/* The name is copied. */
void symbols_add(struct symbols *s, uint64_t start, uint64_t size, enum symbol_rank rank,
    struct text name);
/* Sort; of several names for one address the best stays. */
void symbols_finish(struct symbols *s);
/* Returns the name of what an address lies in, or NULL. */
const char *symbols_find(const struct symbols *s, uint64_t address);
/*
 * Fills from the lines of /proc/kallsyms ("ffffffff81000000 T name [module]") or of a
 * /tmp/perf-PID.map ("7f00 40 name with spaces", hexadecimal); lines that are neither are
 * passed over.
 */
void symbols_add_kallsyms(struct symbols *s, struct text lines);
void symbols_add_map(struct symbols *s, struct text lines);
void symbols_free(struct symbols *s);

#endif
