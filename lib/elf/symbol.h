/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Maps addresses to names: a sorted table of the symbols of an ELF file, of the kernel's
 * list or of the map of a JIT compiler. Pure.
 */
#ifndef ELF_SYMBOL_H
#define ELF_SYMBOL_H

#include "base/base.h"

enum symbol_rank { SYMBOL_WEAK, SYMBOL_LOCAL, SYMBOL_GLOBAL };

struct symbol {
	uint64_t start, size; /* size 0: extends to the next symbol */
	size_t name;          /* offset in names */
	enum symbol_rank rank;
};

/* Initialize with zeros. */
struct symbols {
	struct symbol *symbol;
	size_t count, cap;
	struct buf names;
};

/* Adds a symbol and copies its name. */
void symbols_add(struct symbols *s, uint64_t start, uint64_t size, enum symbol_rank rank,
    struct text name);
/* Sorts the table and keeps the best of several names of one address. */
void symbols_finish(struct symbols *s);
/* Returns the name of the symbol that contains an address, or NULL. */
const char *symbols_find(const struct symbols *s, uint64_t address);
/*
 * Adds the symbols of /proc/kallsyms ("ffffffff81000000 T name [module]"). Invalid lines
 * are ignored.
 */
void symbols_add_kallsyms(struct symbols *s, struct text lines);
/*
 * Adds the symbols of a /tmp/perf-PID.map ("7f00 40 name with spaces", hexadecimal).
 * Invalid lines are ignored.
 */
void symbols_add_map(struct symbols *s, struct text lines);
void symbols_free(struct symbols *s);

#endif
