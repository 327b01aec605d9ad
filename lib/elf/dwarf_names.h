/*
 * The numbers that DWARF gives its words (DW_TAG_typedef, DW_OP_deref): constants alone.
 */
#ifndef DWARF_NAMES_H
#define DWARF_NAMES_H

#include <dwarf.h>

#endif
