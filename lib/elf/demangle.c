/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plain names; see demangle.h. The hash that ends a Rust name of the old kind is no part of
 * it: libiberty leaves it out.
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
