/*
 * How a process ended, as the status column of bench-csv(5) says it.
 */
#ifndef ENDING_H
#define ENDING_H

#include "base/base.h"

enum { EXIT_STATUS_MAX = 48 };

/* "ok" where it is fine, else "failed:exit=2" or "failed:signal=SIGSEGV". */
void exit_status_print(int wait_status, bool fine, char *out, size_t size);

#endif
