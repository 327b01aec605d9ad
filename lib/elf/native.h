/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks whether the code of an object is for the machine for which this program was built.
 */
#ifndef ELF_NATIVE_H
#define ELF_NATIVE_H

#include "elf/elf_file.h"

/* Returns 0, or -1 and the difference: "built for aarch64, but this machine is x86-64". */
int native_check(const struct elf_head *head, struct fault *f);

#endif
