/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-spawn: starts the commands that bench-run measures. Users do not run it.
 *
 * It is a separate, static program with little memory for two reasons: ru_maxrss of a child
 * begins at the peak of the process that started it, and the cost of starting a child grows
 * with the size of its parent. vfork copies no page tables and needs no gate; the clock
 * starts just before it. tools/helpers/counter_reader.c counts events,
 * tools/helpers/copies.c starts several copies concurrently, and tools/helpers/spawn_env.c
 * sets the environment of the commands.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/standard_files.h"
#include "child_end.h"
#include "copies.h"
#include "counter_reader.h"
#include "protocol/spawn_proto.h"
#include "spawn_env.h"

enum { EVENTS_MAX = WIRE_EVENTS_MAX };

static uint32_t event_count;
static struct wire_count before[EVENTS_MAX], after[EVENTS_MAX];
static struct wire_worker workers[WIRE_WORKERS_MAX];

/* Contains the results of a batch until they are sent. */
static struct wire_shared *shared;
static uint32_t held_runs;
static int64_t batch_began_ns;

static char texts[WIRE_ARGS_MAX];
static char *arguments[WIRE_ARGS_MAX / 2];

static volatile sig_atomic_t child, timed_out, interrupted, sheltered;
static pid_t parent;
static volatile int exec_error;
static int null_read, null_write;
static sigset_t normal_mask;

static bool read_all(void *out, size_t size)
{
	for (char *p = out; size;) {
		ssize_t got = read(WIRE_SOCKET, p, size);

		if (got == 0 || (got < 0 && errno != EINTR))
			return false;
		if (got > 0) {
			p += got;
			size -= (size_t)got;
		}
	}
	return true;
}

static bool write_all(const void *bytes, size_t size)
{
	for (const char *p = bytes; size;) {
		ssize_t put = write(WIRE_SOCKET, p, size);

		if (put < 0 && errno != EINTR)
			return false;
		if (put > 0) {
			p += put;
			size -= (size_t)put;
		}
	}
	return true;
}

static bool open_events(void)
{
	static struct wire_event asked[EVENTS_MAX];
	static struct wire_opened opened[EVENTS_MAX];
	struct wire_events head;

	if (!read_all(&head, sizeof(head)) || head.count > EVENTS_MAX ||
	    !read_all(asked, head.count * sizeof(*asked)))
		return false;
	event_count = head.count;
	counter_reader_open(asked, event_count, COUNTING_CHILDREN, opened);
	return write_all(opened, event_count * sizeof(*opened));
}

/* Kills the child and its group, which the child may have left. */
static void kill_child(void)
{
	kill(-child, SIGKILL);
	kill(child, SIGKILL);
}

/* Returns whether the child may continue for some time after a signal, which it may not
 * after bench-run has ended. */
static bool spares_child(void)
{
	return sheltered && getppid() == parent;
}

/* Ends the command. An alarm that a process sent, such as the command, is no time-out. */
static void on_signal(int number, siginfo_t *info, void *context)
{
	bool first = !interrupted;

	(void)context;
	if (number == SIGALRM && info->si_code != SI_KERNEL)
		return;
	if (number == SIGALRM)
		timed_out = 1;
	else
		interrupted = 1;
	if (child > 0 && number != SIGALRM && spares_child()) {
		if (first)
			alarm(WIRE_GRACE_S);
	} else if (child > 0) {
		kill_child();
	}
	copies_kill();
}

/* Executes the command in the child, which shares the parent's memory until then and must
 * not change it. */
static _Noreturn void execute_command(
    const char *path, char **argv, int in, int out, int err)
{
	setpgid(0, 0);
	shared->group[0] = getpid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
	    dup2(err, STDERR_FILENO) >= 0) {
		sigprocmask(SIG_SETMASK, &normal_mask, NULL);
		execve(path, argv, environ);
	}
	exec_error = errno;
	_exit(127);
}

static void set_timer(uint64_t ns)
{
	struct itimerval timer = { .it_value = { .tv_sec = (time_t)(ns / 1000000000),
		                       .tv_usec = (suseconds_t)(ns % 1000000000 / 1000) } };

	if (ns && !timer.it_value.tv_sec && !timer.it_value.tv_usec)
		timer.it_value.tv_usec = 1;
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* Waits for the end of the child without reaping it, then kills the rest of its group. */
static void wait_child(struct wire_result *r, int64_t start_ns)
{
	struct child_end end = { 0 };

	while (child_end_wait(P_PID, (id_t)child, &end) < 0 && errno == EINTR)
		;
	r->wall_ns = clock_monotonic_ns() - start_ns;
	r->timed_out = timed_out != 0;
	kill_child();
	shared->group[0] = 0;
	child_end_reap(&end, child, r);
	while (waitpid(-child, NULL, 0) > 0 || errno == EINTR)
		;
	/* Reap processes that left the group and have ended. */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/*
 * Sleeps until a time of CLOCK_MONOTONIC, with the finest resolution of timers, which the
 * command does not inherit. mask is that of the signals during the sleep. Returns false if
 * a signal came that ends the run.
 */
static bool sleep_until(int64_t at_ns, const sigset_t *mask)
{
	if (!at_ns)
		return true;
	prctl(PR_SET_TIMERSLACK, 1);
	for (int64_t left; !interrupted && (left = at_ns - clock_monotonic_ns()) > 0;)
		ppoll(NULL, 0,
		    &(struct timespec){ .tv_sec = (time_t)(left / 1000000000),
		        .tv_nsec = (long)(left % 1000000000) },
		    mask);
	prctl(PR_SET_TIMERSLACK, 0);
	return !interrupted;
}

static void start_and_wait(const struct wire_request *q, const char *path, int in, int out,
    int err, struct wire_result *r)
{
	int64_t start_ns;
	sigset_t all, old;
	pid_t pid;

	sigfillset(&all);
	exec_error = timed_out = 0;
	sigprocmask(SIG_BLOCK, &all, &old);
	if (!sleep_until(q->start_at_ns, &old)) {
		r->passed_over = 1;
		sigprocmask(SIG_SETMASK, &old, NULL);
		return;
	}
	if (q->count)
		counter_reader_read(before);
	r->begin_ns = clock_realtime_ns();
	start_ns = r->start_ns = clock_monotonic_ns();
	pid = vfork();
	if (pid == 0)
		execute_command(path, arguments, in, out, err);
	if (pid < 0) {
		r->failure = FAILURE_FORK;
		r->error = errno;
		sigprocmask(SIG_SETMASK, &old, NULL);
		return;
	}
	child = pid;
	if (q->timeout_ns)
		set_timer(q->timeout_ns);
	else if (q->sheltered && interrupted)
		alarm(WIRE_GRACE_S);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (interrupted && !spares_child())
		kill_child();
	wait_child(r, start_ns);
	child = 0;
	if (q->timeout_ns || q->sheltered)
		set_timer(0);
	if (exec_error) {
		r->failure = FAILURE_EXEC;
		r->error = exec_error;
	}
	if (q->count)
		counter_reader_read(after);
}

static void run_copies(
    const struct wire_request *q, const struct copies *g, struct wire_result *r)
{
	timed_out = 0;
	if (q->count)
		counter_reader_read(before);
	if (!copies_start(g, r))
		return;
	if (q->timeout_ns)
		set_timer(q->timeout_ns);
	copies_run(g, r, workers);
	r->timed_out = timed_out != 0;
	if (q->timeout_ns)
		set_timer(0);
	if (q->count)
		counter_reader_read(after);
}

static int open_output(const struct wire_request *q, const char *path)
{
	switch (q->output) {
	case OUTPUT_INHERIT:
		return STDERR_FILENO;
	case OUTPUT_CAPTURE:
		if (ftruncate(WIRE_CAPTURE, 0) < 0 || lseek(WIRE_CAPTURE, 0, SEEK_SET) < 0)
			return -1;
		return WIRE_CAPTURE;
	default:
		return *path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
		             : null_write;
	}
}

static void run_request(const struct wire_request *q, struct wire_result *r)
{
	const char *stdin_path = texts, *stdout_path = stdin_path + strlen(stdin_path) + 1;
	const char *path = stdout_path + strlen(stdout_path) + 1,
	           *p = path + strlen(path) + 1;
	bool many = q->workers > 1;
	int in = *stdin_path && !many ? open(stdin_path, O_RDONLY | O_CLOEXEC) : null_read;
	int out = in < 0 ? -1 : open_output(q, stdout_path);
	int err = q->output == OUTPUT_FILE ? null_write : out;

	for (uint32_t i = 0; i < q->argc; i++, p += strlen(p) + 1)
		arguments[i] = (char *)p;
	arguments[q->argc] = NULL;
	spawn_env_set((char *)p, q->variables);
	if (in < 0 || out < 0) {
		r->failure = in < 0 ? FAILURE_STDIN : FAILURE_STDOUT;
		r->error = errno;
	} else if (many)
		run_copies(q,
		    &(struct copies){ .workers = q->workers,
		        .path = path,
		        .argv = arguments,
		        .stdin_path = stdin_path,
		        .in = in,
		        .out = out,
		        .err = err,
		        .pin = q->pin,
		        .groups = shared->group,
		        .mask = &normal_mask,
		        .stop = &interrupted },
		    r);
	else
		start_and_wait(q, path, in, out, err, r);
	if (in >= 0 && in != null_read)
		close(in);
	if (q->output == OUTPUT_FILE && out >= 0 && out != null_write)
		close(out);
}

static bool texts_whole(const struct wire_request *q)
{
	uint32_t ends = 0;

	for (uint32_t i = 0; i < q->text_size; i++)
		ends += texts[i] == '\0';
	return ends == q->argc + q->variables + 3 && texts[q->text_size - 1] == '\0';
}

static void hold(const void *bytes, size_t size)
{
	uint32_t before_size = shared->size;

	memcpy(shared->results + before_size, bytes, size);
	shared->size = before_size + (uint32_t)size;
}

static void hold_result(const struct wire_request *q, const struct wire_result *r)
{
	hold(r, sizeof(*r));
	if (q->workers > 1 && !r->passed_over)
		hold(workers, q->workers * sizeof(*workers));
	for (uint32_t i = 0; q->count && !r->passed_over && i < event_count; i++) {
		struct wire_count c = { after[i].value - before[i].value,
			after[i].enabled_ns - before[i].enabled_ns,
			after[i].running_ns - before[i].running_ns };

		hold(&c, sizeof(c));
	}
}

static void begin_batch(void)
{
	batch_began_ns = clock_monotonic_ns();
	shared->size = 0;
	shared->batch++;
}

static bool serve_request(void)
{
	struct wire_request q;
	struct wire_result r = { 0 };

	if (!read_all(&q, sizeof(q)) || q.text_size > sizeof(texts) || q.text_size == 0 ||
	    !read_all(texts, q.text_size) || !texts_whole(&q) ||
	    held_runs == WIRE_BATCH_RUNS || q.workers > WIRE_WORKERS_MAX ||
	    (q.workers > 1 && (q.more || held_runs)))
		return false;
	if (held_runs++ == 0)
		begin_batch();
	sheltered = q.sheltered != 0;
	r.passed_over =
	    (interrupted && !spares_child()) ||
	    (held_runs > 1 && clock_monotonic_ns() - batch_began_ns > WIRE_BATCH_NS);
	if (!r.passed_over) {
		spawn_env_pad(q.jitter);
		run_request(&q, &r);
	}
	r.interrupted = interrupted != 0;
	hold_result(&q, &r);
	if (q.more)
		return true;
	held_runs = 0;
	return write_all(shared->results, shared->size);
}

/*
 * Does nothing. Ctrl-Z at the terminal stops bench-run but neither this process nor the
 * command, which would otherwise seem to have taken until bench-run continues. Unlike
 * SIG_IGN, a handler does not remain in the command.
 */
static void on_stop(int number)
{
	(void)number;
}

/*
 * Ends the command if bench-run has died: this signal is then sent because it also
 * continues this process if the command stopped it.
 */
static void on_continue(int number)
{
	if (getppid() != parent)
		on_signal(number, NULL, NULL);
}

/* Installs the signal handlers. Signals that nohup or a shell ignores stay ignored, even
 * for the commands. Signals that this process needs are not blocked in it. */
static void catch_signals(void)
{
	static const int always[] = { SIGALRM, SIGTERM },
	                 ignorable[] = { SIGINT, SIGHUP, SIGQUIT };
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO },
	                 old;
	struct sigaction go = { .sa_handler = on_continue, .sa_flags = SA_RESTART };
	struct sigaction stop = { .sa_handler = on_stop, .sa_flags = SA_RESTART };

	sigset_t needed;

	sigemptyset(&needed);
	sigaddset(&needed, SIGCONT);
	sigaction(SIGCONT, &go, NULL);
	if (sigaction(SIGTSTP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(SIGTSTP, &stop, NULL);
	for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++) {
		sigaction(always[i], &action, NULL);
		sigaddset(&needed, always[i]);
	}
	sigprocmask(SIG_UNBLOCK, &needed, &normal_mask);
	for (size_t i = 0; i < sizeof(ignorable) / sizeof(*ignorable); i++)
		if (sigaction(ignorable[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(ignorable[i], &action, NULL);
}

/* Opens the null device on a descriptor other than the first three, which are then open as
 * well. */
static int open_null(int mode)
{
	int fd;

	do
		fd = open("/dev/null", mode | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	return fd;
}

/* Maps the shared memory. The part that bench-run could not make is private. Returns
 * whether it succeeded. */
static bool map_shared(void)
{
	const int mode = PROT_READ | PROT_WRITE, private = MAP_PRIVATE | MAP_ANONYMOUS;
	struct stat st;
	size_t size = fstat(WIRE_SHARED, &st) == 0 ? (size_t)st.st_size : 0;

	shared = mmap(NULL, sizeof(*shared), mode, private, -1, 0);
	if (shared == MAP_FAILED)
		return false;
	return !size || mmap(shared, size < sizeof(*shared) ? size : sizeof(*shared), mode,
	                    MAP_SHARED | MAP_FIXED, WIRE_SHARED, 0) != MAP_FAILED;
}

int main(void)
{
	standard_files_open();

	sigset_t all;

	parent = getppid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	catch_signals();
	prctl(PR_SET_PDEATHSIG, SIGCONT);
	fcntl(WIRE_SOCKET, F_SETFD, FD_CLOEXEC);
	fcntl(WIRE_SHARED, F_SETFD, FD_CLOEXEC);
	fcntl(WIRE_CAPTURE, F_SETFD, FD_CLOEXEC);
	null_read = open_null(O_RDONLY);
	null_write = open_null(O_WRONLY);
	if (!map_shared() || null_read < 0 || null_write < 0 || !open_events())
		return 1;
	while (serve_request())
		;
	/* Later signals have nothing to end, and would disturb leak checkers: SIGCONT,
	 * which no mask holds back, removes the SIGSTOP that they wait for. */
	prctl(PR_SET_PDEATHSIG, 0);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	return 0;
}
