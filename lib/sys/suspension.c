/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suspensions; see suspension.h. */
#include <signal.h>
#include <stdatomic.h>

#include "sys/suspension.h"

static atomic_uint suspensions;

static void on_continue(int number)
{
	(void)number;
	atomic_fetch_add(&suspensions, 1);
}

void suspension_watch(void)
{
	sigaction(SIGCONT,
	    &(struct sigaction){ .sa_handler = on_continue, .sa_flags = SA_RESTART }, NULL);
}

unsigned suspension_count(void)
{
	return atomic_load(&suspensions);
}
