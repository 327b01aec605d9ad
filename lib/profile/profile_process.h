/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describes a running process that is to be sampled.
 */
#ifndef PROFILE_PROFILE_PROCESS_H
#define PROFILE_PROFILE_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/* Returns the owner of a process, or the calling user if the owner is unknown. */
uid_t process_owner(uint64_t pid);
/* Returns the command line of a process, quoted for the shell, or "pid N" if it has none (a
 * kernel thread); allocated. */
char *process_line(uint64_t pid);

#endif
