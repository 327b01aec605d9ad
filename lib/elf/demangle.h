/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Demangles names of C++, Rust, D and Ada functions with libiberty.
 */
#ifndef ELF_DEMANGLE_H
#define ELF_DEMANGLE_H

#include "base/base.h"

/* Returns the demangled name without parameters, allocated, or NULL if it is not mangled.
 */
char *demangle(const char *name);

#endif
