/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The end of a process as text of the status column of bench-csv(5).
 */
#ifndef SYS_EXIT_STATUS_H
#define SYS_EXIT_STATUS_H

#include "base/base.h"

enum { EXIT_STATUS_MAX = 48 };

/* Prints a wait status: "ok" when it is fine, else "failed:exit=2" or
 * "failed:signal=SIGSEGV". */
void exit_status_print(int wait_status, bool fine, char *out, size_t size);

#endif
