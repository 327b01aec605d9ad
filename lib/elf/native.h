/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the code of an object is for the machine that this program was built for.
 */
#ifndef ELF_NATIVE_H
#define ELF_NATIVE_H

#include "elf/elf_file.h"

/* Returns 0, or -1 and how they differ: "made for aarch64, this is x86-64". */
int native_check(const struct elf_head *head, struct fault *f);

#endif
