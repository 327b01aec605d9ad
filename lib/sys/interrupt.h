/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SIGINT, SIGTERM and SIGHUP while commands run: the current command is killed at once, and
 * the program writes the results so far and then ends by the same signal.
 */
#ifndef SYS_INTERRUPT_H
#define SYS_INTERRUPT_H

#include <sys/types.h>

enum { INTERRUPT_HELPERS = 1026 }; /* those of a run and of its hooks */

/*
 * Begins to catch these signals. A signal is remembered, and SIGTERM is sent to this helper
 * and to those of earlier calls, which then kill their commands.
 */
void interrupt_watch(pid_t helper);
/* Sends signals to this helper no more. */
void interrupt_forget(pid_t helper);
/*
 * Makes a second signal, except one immediately after the first, end the program at once.
 * The program first kills this process or, if the number is negative, this process group; 0
 * is none.
 */
void interrupt_end_on_second(pid_t killed);
/* Undoes interrupt_end_on_second. */
void interrupt_ignore_second(void);
/* Returns the signal that came, or 0. */
int interrupt_seen(void);
/* Behaves as if this signal had come, for example when a reader closed its pipe. */
void interrupt_request(int signal);
/* Ends the program by the signal that came, as if it had not been caught. */
_Noreturn void interrupt_end(void);

#endif
