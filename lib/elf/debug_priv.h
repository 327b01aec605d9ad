/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the modules that read DWARF share: libdw, and its handle. Included by them alone.
 */
#ifndef ELF_DEBUG_PRIV_H
#define ELF_DEBUG_PRIV_H

#include <elfutils/libdw.h>

#include "elf/debug_info.h"
#include "elf/dwarf_names.h"

/* Which unit of compilation has the code of a range. */
struct unit_range {
	uint64_t start, end;
	Dwarf_Off unit;
};

struct debug_info {
	Dwarf *dwarf;             /* of the debug file, or of the file itself */
	Dwarf_CFI *eh;            /* .eh_frame, which is loaded with the program */
	struct unit_range *range; /* sorted, once ranged */
	size_t ranges, range_cap;
	bool ranged;
};

#endif
