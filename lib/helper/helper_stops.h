/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stops of a helper by SIGSTOP, or by a signal of the terminal. The time of work during
 * which a helper was stopped is not that of the work.
 */
#ifndef HELPER_HELPER_STOPS_H
#define HELPER_HELPER_STOPS_H

#include <sys/types.h>

/*
 * Returns the signal that has stopped a helper since the last call, SIGSTOP if it was also
 * continued, or 0. A helper that was continued counts once more.
 */
int helper_stops_take(pid_t pid);
/* Forgets the stops of a helper and its group that had no work, and lets them continue. */
void helper_stops_forget(pid_t pid);

#endif
