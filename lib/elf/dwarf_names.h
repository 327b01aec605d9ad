/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The numbers that DWARF gives its words (DW_TAG_typedef, DW_OP_deref): constants alone.
 */
#ifndef ELF_DWARF_NAMES_H
#define ELF_DWARF_NAMES_H

#include <dwarf.h>

#endif
