/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads symbol versions from the ELF sections .gnu.version_r and .gnu.version_d, in the
 * byte order of this machine. Pure.
 */
#ifndef ELF_VERSIONS_H
#define ELF_VERSIONS_H

#include "base/base.h"

/*
 * Calls take for each version that an object needs from a library. strings is the section
 * .dynstr. Damaged entries are ignored.
 */
void versions_wanted(struct text section, struct text strings,
    void (*take)(void *, const char *library, const char *version), void *ctx);
/* Calls take for each version that a library defines. Damaged entries are ignored. */
void versions_defined(struct text section, struct text strings,
    void (*take)(void *, const char *version), void *ctx);

#endif
