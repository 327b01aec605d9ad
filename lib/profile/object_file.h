/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ELF file behind an object of the maps.
 */
#ifndef PROFILE_OBJECT_FILE_H
#define PROFILE_OBJECT_FILE_H

#include "elf/elf_file.h"
#include "profile/maps.h"

/*
 * Returns NULL where an object has none, or it cannot be read, or it is not the one that
 * ran: then *replaced.
 */
struct elf_file *object_file_open(const struct maps *maps, uint32_t object, bool *replaced);

#endif
