/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks whether the kernel can start a file. A script without a #! line may be executable,
 * but only shells run it.
 */
#ifndef SYS_PROGRAM_FORMAT_H
#define SYS_PROGRAM_FORMAT_H

#include "base/base.h"

/*
 * Returns 0 if the kernel should be able to start this executable file: it is an ELF file,
 * its #! line names an existing interpreter, binfmt_misc has an entry for it, or it cannot
 * be read. Otherwise returns -1 and the reason, without the path.
 */
int program_check_format(const char *path, struct fault *f);

#endif
