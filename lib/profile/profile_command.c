/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the command, and passes records from the rings to the profile; see
 * profile_command.h.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "profile/profile_command.h"
#include "sys/interrupt.h"

/* Time to wait. A signal that arrives just before a wait is noticed after it. */
enum { LOOK_MS = 100 };
static const double patience_ns = 2e9;

static struct sampler *open_sampler(const struct profile_command_opts *opts, pid_t pid,
    bool running, struct profile_command_result *out, struct fault *f)
{
	struct sampler_opts sampling = { .pid = pid,
		.running = running,
		.switches = opts->waits,
		.frequency_hz = opts->frequency_hz,
		.stack = opts->stack,
		.dump_bytes = opts->dump_bytes };
	struct sampler *s = NULL;

	for (size_t i = 0; i < opts->events->count && !s; i++) {
		struct counter *event = &opts->events->counter[i];

		s = sampler_open(&sampling, event, f);
		out->event = i;
		if (s)
			out->frequency_hz = sampler_frequency_hz(s);
		if (!s && event->error != ENOENT && event->error != EOPNOTSUPP &&
		    event->error != ENODEV && event->error != ENXIO)
			break;
	}
	return s;
}

static int read_samples(struct sampler *s, bool all, struct profile *p, struct fault *f)
{
	return sampler_read(s, all, profile_record, p, f);
}

/* Ends sampling and reads the samples that are left. */
static int read_rest(struct sampler *s, struct profile *p, struct fault *f)
{
	sampler_stop(s);
	uint64_t end_ns = (uint64_t)clock_monotonic_ns();

	if (read_samples(s, true, p, f) < 0)
		return -1;
	profile_end(p, end_ns);
	return 0;
}

/*
 * Starts the command, which waits at a gate. If apart is set, its standard output is our
 * standard error. Its other standard files are ours. It leads a process group unless
 * standard input is a terminal, which sends its signals to all processes. *pidfd is
 * readable when the process has ended.
 */
static int start_command(struct process *p, int *pidfd, const char *path, char *const *argv,
    bool apart, struct fault *f)
{
	static const struct process_fd output = { STDERR_FILENO, STDOUT_FILENO };
	struct process_opts opts = { .program = path,
		.argv = argv,
		.fd = &output,
		.fds = apart,
		.group = !isatty(STDIN_FILENO),
		.dies_with_us = true,
		.gate = true };

	if (process_start(p, &opts) < 0)
		return fault_errno(f, "fork");
	*pidfd = pidfd_open(p->pid, 0);
	if (*pidfd >= 0)
		return 0;
	fault_errno(f, "pidfd_open");
	process_cancel(p);
	return -1;
}

/* Handles signals: the first is passed on to the command, a second ends both processes. */
static void watch_signals(const struct process *p)
{
	interrupt_watch(0);
	interrupt_end_on_second(p->group ? -p->pid : p->pid);
}

/* Lets the command begin. Returns 0, or -1 if its program cannot be executed. */
static int open_gate(struct process *p, int pidfd, const char *path, struct fault *f)
{
	if (process_go(p) == 0)
		return 0;
	fault_errno(f, "%s: cannot be executed", path);
	interrupt_end_on_second(0);
	close(pidfd);
	return -1;
}

/* Waits for the end of the command. Returns its status as from wait(2). */
static int await_command(struct process *p, int pidfd)
{
	int status;

	/* After the wait, the pid may belong to another process. */
	interrupt_end_on_second(0);
	status = process_wait(p);
	close(pidfd);
	return status < 0 ? 0 : status;
}

/*
 * Passes the signal on to the command once, unless the terminal has sent it to all
 * processes. Kills the command after some time.
 */
static void pass_signal(const struct process *p, int64_t *since_ns)
{
	if (*since_ns && clock_elapsed_ns(*since_ns) > patience_ns)
		process_kill(p, SIGKILL);
	else if (!*since_ns) {
		*since_ns = clock_monotonic_ns();
		if (p->group || interrupt_seen() != SIGINT)
			process_kill(p, interrupt_seen());
	}
}

int profile_command(const struct profile_command_opts *opts, const char *path,
    char *const *argv, struct profile *profile, struct profile_command_result *out,
    struct fault *f)
{
	struct process command;
	struct sampler *s;
	int64_t interrupted_ns = 0;
	int status = 0, pidfd;

	if (start_command(&command, &pidfd, path, argv, opts->output_apart, f) < 0)
		return -1;
	s = open_sampler(opts, command.pid, false, out, f);
	if (!s) {
		process_cancel(&command);
		close(pidfd);
		return -1;
	}
	profile_init(profile, sampler_layout(s), opts->waits);
	profile_expect(profile, (uint32_t)command.pid, path);
	watch_signals(&command);
	if (open_gate(&command, pidfd, path, f) < 0) {
		sampler_close(s);
		return -1;
	}
	while (status == 0 && !sampler_wait(s, pidfd, LOOK_MS)) {
		status = read_samples(s, false, profile, f);
		if (interrupt_seen())
			pass_signal(&command, &interrupted_ns);
	}
	if (status < 0 || interrupt_seen())
		process_kill(&command, SIGKILL);
	out->status = await_command(&command, pidfd);
	if (status == 0)
		status = read_rest(s, profile, f);
	sampler_close(s);
	return status;
}

int profile_command_unsampled(const struct profile_command_opts *opts, const char *path,
    char *const *argv, struct profile_command_result *out, struct fault *f)
{
	struct process command;
	int64_t interrupted_ns = 0;
	int pidfd;

	if (start_command(&command, &pidfd, path, argv, opts->output_apart, f) < 0)
		return -1;
	watch_signals(&command);
	if (open_gate(&command, pidfd, path, f) < 0)
		return -1;
	for (struct pollfd end = { .fd = pidfd, .events = POLLIN };
	     poll(&end, 1, LOOK_MS) <= 0;)
		if (interrupt_seen())
			pass_signal(&command, &interrupted_ns);
	if (interrupt_seen())
		process_kill(&command, SIGKILL);
	out->status = await_command(&command, pidfd);
	return 0;
}

int profile_process(const struct profile_command_opts *opts, pid_t pid,
    struct profile *profile, struct profile_command_result *out, struct fault *f)
{
	int pidfd = pidfd_open(pid, 0), status = 0;
	struct sampler *s;
	int64_t begin_ns;

	if (pidfd < 0)
		return errno == ESRCH ? fault_set(f, "there is no process %d", (int)pid)
		                      : fault_errno(f, "process %d", (int)pid);
	s = open_sampler(opts, pid, true, out, f);
	if (!s) {
		close(pidfd);
		return -1;
	}
	profile_init(profile, sampler_layout(s), opts->waits);
	interrupt_watch(0);
	interrupt_end_on_second(0);
	begin_ns = clock_monotonic_ns();
	status = profile_adopt(profile, (uint32_t)pid, (uint64_t)begin_ns, f);
	while (status == 0 && !interrupt_seen()) {
		double left_ns = opts->duration_ns - clock_elapsed_ns(begin_ns);
		bool timed = opts->duration_ns > 0;

		if (timed && left_ns <= 0)
			break;
		if (sampler_wait(s, pidfd,
		        timed && left_ns < LOOK_MS * 1e6 ? (int)(left_ns / 1e6) + 1
		                                         : LOOK_MS))
			break;
		status = read_samples(s, false, profile, f);
	}
	if (status == 0)
		status = read_rest(s, profile, f);
	sampler_close(s);
	close(pidfd);
	return status;
}
