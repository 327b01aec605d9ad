/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private header of the modules that read DWARF: libdw and the handle that they share.
 */
#ifndef ELF_DEBUG_PRIV_H
#define ELF_DEBUG_PRIV_H

#include <elfutils/libdw.h>

#include "elf/debug_info.h"
#include "elf/dwarf_names.h"

/* The compilation unit that contains the code of a range of addresses. */
struct unit_range {
	uint64_t start, end;
	Dwarf_Off unit;
};

struct debug_info {
	Dwarf *dwarf;             /* handle of the debug file, or of the file itself */
	Dwarf_CFI *eh;            /* .eh_frame, which is loaded with the program */
	struct unit_range *range; /* sorted by address if ranged is set */
	size_t ranges, range_cap;
	bool ranged;
};

#endif
