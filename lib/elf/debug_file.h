/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The separate file that has what was stripped off an object.
 */
#ifndef ELF_DEBUG_FILE_H
#define ELF_DEBUG_FILE_H

#include "elf/elf_file.h"

/*
 * By build-id below /usr/lib/debug/.build-id, or by the name and the checksum in
 * .gnu_debuglink. Returns NULL when there is none.
 */
struct elf_file *debug_file_open(const struct elf_file *e);

#endif
