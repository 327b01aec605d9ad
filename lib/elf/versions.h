/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Versions of symbols: which ones an object wants its libraries to have, and which ones a
 * library has (ELF's sections .gnu.version_r and .gnu.version_d, of this machine's byte
 * order). Pure.
 */
#ifndef ELF_VERSIONS_H
#define ELF_VERSIONS_H

#include "base/base.h"

/* The strings are those of .dynstr. What is damaged is passed over. */
void versions_wanted(struct text section, struct text strings,
    void (*take)(void *, const char *library, const char *version), void *ctx);
void versions_defined(struct text section, struct text strings,
    void (*take)(void *, const char *version), void *ctx);

#endif
