/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constants of DWARF, such as DW_TAG_typedef and DW_OP_deref.
 */
#ifndef ELF_DWARF_NAMES_H
#define ELF_DWARF_NAMES_H

#include <dwarf.h>

#endif
