/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What DWARF says of a file: how to unwind its frames, which line of source an address
 * comes from, and what its functions take and give. Through libdw, which debug_priv.h
 * alone includes.
 */
#ifndef ELF_DEBUG_INFO_H
#define ELF_DEBUG_INFO_H

#include "elf/elf_file.h"
#include "elf/signature.h"
#include "elf/unwind.h"

struct debug_info;
/* The file must outlive it. Never NULL; a file may have nothing to say. */
struct debug_info *debug_info_open(struct elf_file *file);
/*
 * The row that holds at an address of the file, and where the range that it holds in
 * starts; its arrays are allocated (unwind_row_free). Returns false when there is none.
 */
bool debug_info_row(
    struct debug_info *d, uint64_t address, struct unwind_row *out, uint64_t *start);
/* Finds the source of an address: the file's name without its directories, which lives as
 * long.
 */
bool debug_info_line(struct debug_info *d, uint64_t address, const char **file, int *line);
/*
 * Adds the signatures of all functions that are visible outside of their file and follow
 * C's conventions, ordered; their names live as long as this. Returns false when nothing is
 * told of any.
 */
bool debug_info_signatures(struct debug_info *d, struct signatures *out);
void debug_info_close(struct debug_info *d);

#endif
