/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The handler itself passes the signal on: a flag alone would be seen too late when the
 * signal comes just before a blocking read.
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "sys/interrupt.h"
#include "sys/leftover.h"

static volatile sig_atomic_t seen;
static volatile pid_t helper_pid[INTERRUPT_HELPERS];

static void on_signal(int number)
{
	seen = number;
	for (int i = 0; i < INTERRUPT_HELPERS; i++)
		if (helper_pid[i] > 0)
			kill(helper_pid[i], SIGTERM);
}

void interrupt_watch(pid_t helper)
{
	static const int watched[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal }, old;

	for (int i = 0; i < INTERRUPT_HELPERS; i++)
		if (helper_pid[i] == 0) {
			helper_pid[i] = helper;
			break;
		}
	for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++)
		if (sigaction(watched[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(watched[i], &action, NULL);
}

int interrupt_seen(void)
{
	return seen;
}

void interrupt_request(int signal)
{
	seen = signal;
}

void interrupt_end(void)
{
	leftover_remove();
	signal(seen, SIG_DFL);
	raise(seen);
	_exit(128 + seen);
}
