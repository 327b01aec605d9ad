/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Demangles names; see demangle.h. libiberty removes the hash at the end of old Rust names.
 */
#include <stdlib.h>

#include <libiberty/demangle.h>

#include "elf/demangle.h"

char *demangle(const char *name)
{
	if (name[0] != '_')
		return NULL;
	return cplus_demangle(name, DMGL_AUTO);
}
