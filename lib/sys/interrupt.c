/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals that end a run; see interrupt.h. The handler itself forwards the signal: a flag
 * would be noticed too late if the signal came just before a blocking read.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "sys/interrupt.h"
#include "sys/leftover.h"

enum { SAME_NS = 200000000 };

static volatile sig_atomic_t seen;
static volatile pid_t helper_pid[INTERRUPT_HELPERS];
static volatile sig_atomic_t ends_on_second;
static volatile pid_t second_kills;
static struct timespec first;

/* Returns whether a signal is a new one. The same signal may arrive twice: from a
 * terminal or to a group, and from the shell. */
static bool is_second(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (seen)
		return (double)(now.tv_sec - first.tv_sec) * 1e9 +
		           (double)(now.tv_nsec - first.tv_nsec) >
		       SAME_NS;
	first = now;
	return false;
}

static void on_signal(int number)
{
	int error = errno;

	if (is_second() && ends_on_second) {
		if (second_kills)
			kill(second_kills, SIGKILL);
		leftover_remove();
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	seen = number;
	for (int i = 0; i < INTERRUPT_HELPERS; i++)
		if (helper_pid[i] > 0) {
			kill(helper_pid[i], SIGTERM);
			kill(helper_pid[i], SIGCONT); /* it may have been stopped */
		}
	errno = error;
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

void interrupt_forget(pid_t helper)
{
	for (int i = 0; i < INTERRUPT_HELPERS; i++)
		if (helper_pid[i] == helper)
			helper_pid[i] = 0;
}

void interrupt_end_on_second(pid_t killed)
{
	second_kills = killed;
	ends_on_second = 1;
}

void interrupt_ignore_second(void)
{
	ends_on_second = 0;
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
