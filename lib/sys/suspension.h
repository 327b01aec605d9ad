/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Suspensions of this process by a user (Ctrl-Z) or by SIGSTOP. They are noticed by
 * SIGCONT, which ends them.
 */
#ifndef SYS_SUSPENSION_H
#define SYS_SUSPENSION_H

/* Begins to count suspensions. A system call that SIGCONT interrupts may return EINTR. */
void suspension_watch(void);
/* Returns the number of suspensions that have ended. */
unsigned suspension_count(void);

#endif
