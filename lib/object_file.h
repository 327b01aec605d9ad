/*
 * The ELF file behind an object of the maps.
 */
#ifndef OBJECT_FILE_H
#define OBJECT_FILE_H

#include "elf_file.h"
#include "maps.h"

/* NULL where an object has none, or it cannot be read. */
struct elf_file *object_file_open(const struct maps *maps, uint32_t object);

#endif
