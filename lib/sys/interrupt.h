/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SIGINT, SIGTERM and SIGHUP while commands run: the command under way is killed at once,
 * the program writes what it has, and then ends by the same signal.
 */
#ifndef SYS_INTERRUPT_H
#define SYS_INTERRUPT_H

#include <sys/types.h>

enum { INTERRUPT_HELPERS = 2 };

/*
 * From now on such a signal is noted and passed on as SIGTERM to this process, and to those
 * of earlier calls: the helpers, which then kill what they run.
 */
void interrupt_watch(pid_t helper);
/*
 * From now on a second such signal, other than one right after the first, ends the program
 * at once. It kills this process first or, if the number is negative, this group; 0: none.
 */
void interrupt_end_on_second(pid_t killed);
/* Returns the signal that came, or 0. */
int interrupt_seen(void);
/* Asks for the same ending without a signal (a reader went away). */
void interrupt_request(int signal);
/* Ends by the signal, as if it had not been caught. */
_Noreturn void interrupt_end(void);

#endif
