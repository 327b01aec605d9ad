/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the separate debug file of a stripped object.
 */
#ifndef ELF_DEBUG_FILE_H
#define ELF_DEBUG_FILE_H

#include "elf/elf_file.h"

/*
 * Opens the debug file of an object. The file is found by build ID below
 * /usr/lib/debug/.build-id, or by the name and the checksum in .gnu_debuglink. Returns NULL
 * if there is none.
 */
struct elf_file *debug_file_open(const struct elf_file *e);

#endif
