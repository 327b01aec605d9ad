/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of C++, Rust, D and Ada functions as their programmers wrote them, through
 * libiberty.
 */
#ifndef ELF_DEMANGLE_H
#define ELF_DEMANGLE_H

#include "base/base.h"

/* Returns the name without its parameters, allocated; NULL when it is not mangled. */
char *demangle(const char *name);

#endif
