/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads DWARF debug information: rules for unwinding frames, source lines of addresses, and
 * signatures of functions. It uses libdw, which only debug_priv.h includes.
 */
#ifndef ELF_DEBUG_INFO_H
#define ELF_DEBUG_INFO_H

#include "elf/elf_file.h"
#include "elf/signature.h"
#include "elf/unwind.h"

struct debug_info;
/*
 * Opens the debug information of a file, which must stay open until debug_info_close. Never
 * returns NULL, even if the file has no debug information.
 */
struct debug_info *debug_info_open(struct elf_file *file);
/*
 * Finds the unwinding rules for an address of the file, and the start of the range of
 * addresses to which the rules apply. Free the row with unwind_row_free. Returns false if
 * there are no rules.
 */
bool debug_info_row(
    struct debug_info *d, uint64_t address, struct unwind_row *out, uint64_t *start);
/*
 * Finds the source line of an address. The file name has no directories; it is valid until
 * debug_info_close. Returns false if the line is unknown.
 */
bool debug_info_line(struct debug_info *d, uint64_t address, const char **file, int *line);
/*
 * Adds the signatures of all functions that are visible outside of their source file and
 * follow the calling conventions of C, sorted by name. The names are valid until
 * debug_info_close. Returns false if no signature is found.
 */
bool debug_info_signatures(struct debug_info *d, struct signatures *out);
void debug_info_close(struct debug_info *d);

#endif
