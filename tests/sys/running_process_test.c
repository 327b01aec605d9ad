/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Readings of running processes: the context switches between two readings, the clocks
 * of a process, and its identity.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/running_process.h"
#include "tests/lib/tap.h"

enum { THREADS = 3, CHANCES = 20, FILES = 16 };

static struct process_reading reading_of(struct thread_switches *thread, size_t count)
{
	return (struct process_reading){
		.thread = thread, .listed = count, .listed_all = true
	};
}

static void test_switches(void)
{
	struct thread_switches before[THREADS] = { { 7, 10 }, { 9, 20 }, { 12, 5 } },
	                       after[THREADS] = { { 7, 11 }, { 9, 25 }, { 12, 5 } },
	                       grown[] = { { 7, 11 }, { 9, 20 }, { 12, 5 }, { 15, 4 } },
	                       ended[] = { { 7, 11 }, { 12, 5 } },
	                       replaced[] = { { 7, 11 }, { 9, 2 }, { 12, 5 } };
	struct process_reading from = reading_of(before, THREADS), to;

	to = reading_of(after, THREADS);
	tap_ok(process_reading_switches(&from, &to) == 6,
	    "process_reading_switches adds those of all threads");
	to = reading_of(grown, COUNT(grown));
	tap_ok(process_reading_switches(&from, &to) == 5,
	    "process_reading_switches counts a new thread from its beginning");
	to = reading_of(ended, COUNT(ended));
	tap_ok(isnan(process_reading_switches(&from, &to)),
	    "process_reading_switches returns NAN if a thread has ended");
	to = reading_of(replaced, COUNT(replaced));
	tap_ok(isnan(process_reading_switches(&from, &to)),
	    "process_reading_switches returns NAN if a new thread has the number of an old "
	    "one");
	to = reading_of(after, THREADS);
	to.listed_all = false;
	tap_ok(isnan(process_reading_switches(&from, &to)),
	    "process_reading_switches returns NAN if a thread could not be read");
}

/* Starts a child that waits for a signal. */
static pid_t start_child(void)
{
	pid_t pid = fork();

	while (pid == 0)
		pause();
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Starts a child with this number, if the system lets us. Returns whether it did. */
static bool start_as(pid_t pid)
{
	for (int i = 0; i < CHANCES; i++) {
		FILE *last = fopen("/proc/sys/kernel/ns_last_pid", "w");
		pid_t child;

		if (!last)
			return false;
		fprintf(last, "%d", (int)pid - 1);
		if (fclose(last) != 0)
			return false;
		child = start_child();
		if (child == pid)
			return true;
		end_child(child);
	}
	return false;
}

static void test_identity(void)
{
	struct process_reading reading = { 0 };
	struct fault f;
	pid_t pid = start_child();
	struct running_process *p = running_process_open(pid, &f);

	tap_ok(p && running_process_read(p, &reading) && reading.threads == 1,
	    "running_process_read reads a process");
	end_child(pid);
	tap_ok(p && !running_process_read(p, &reading),
	    "running_process_read returns false if the process has ended");
	const bool chosen = start_as(pid);
	tap_ok(p && (!chosen || !running_process_read(p, &reading)),
	    "running_process_read does not take another process with the same number for "
	    "the old one%s",
	    chosen ? "" : " # SKIP the number of a process cannot be chosen");
	if (chosen)
		end_child(pid);
	running_process_close(p);
	process_reading_free(&reading);
	tap_ok(!running_process_open(getpid(), &f),
	    "running_process_open rejects the process itself");
}

/* Opens files until none is left. Returns their number. */
static size_t use_all_files(int fd[FILES])
{
	size_t used = 0;

	while (used < FILES && (fd[used] = dup(0)) >= 0)
		used++;
	return used;
}

static void test_no_files(void)
{
	struct process_reading reading = { 0 };
	struct rlimit limit;
	struct fault f = { .text = "" };
	const pid_t pid = start_child();
	struct running_process *p = running_process_open(pid, &f);
	int fd[FILES];
	pid_t *tid;
	size_t used;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = FILES;
	setrlimit(RLIMIT_NOFILE, &limit);
	used = use_all_files(fd);
	tap_ok(p && running_process_read(p, &reading),
	    "running_process_read needs no new file: the process has not ended");
	tap_ok(p && running_process_threads(p, &tid) == 0 && errno == EMFILE,
	    "running_process_threads says that threads cannot be listed");
	close(fd[--used]);
	tap_ok(!running_process_open(pid, &f) && strstr(f.text, strerror(EMFILE)),
	    "running_process_open says that a process cannot be read, not that it ended");
	while (used)
		close(fd[--used]);
	free(tid);
	running_process_close(p);
	process_reading_free(&reading);
	end_child(pid);
}

int main(void)
{
	test_switches();
	test_identity();
	test_no_files();
	return tap_end();
}
