/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens the ELF file of an object of the maps.
 */
#ifndef PROFILE_OBJECT_FILE_H
#define PROFILE_OBJECT_FILE_H

#include "elf/elf_file.h"
#include "profile/maps.h"

/*
 * Opens the file of an object. Returns NULL if the object has no file, if the file cannot
 * be read, or if it was replaced after it was mapped (then *replaced is set).
 */
struct elf_file *object_file_open(const struct maps *maps, uint32_t object, bool *replaced);

#endif
