/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the kernel can start a file: a script without a #! line may be executable, but
 * only shells run it.
 */
#ifndef SYS_PROGRAM_FORMAT_H
#define SYS_PROGRAM_FORMAT_H

#include "base/base.h"

/*
 * Returns 0 when the kernel should be able to start this executable file: it is an ELF
 * file, its #! line names an existing interpreter, or binfmt_misc knows it. -1 and the
 * reason, without the path, otherwise. A file that cannot be read may still be a program.
 */
int program_check_format(const char *path, struct fault *f);

#endif
