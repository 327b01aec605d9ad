/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starting processes: their descriptors, directory, environment and signals, the gate, and
 * programs that cannot be executed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/process_run.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"

static void on_signal(int number)
{
	(void)number;
}

/* Runs a program with descriptors 1 and 5 at a file. Returns what is in the file. */
static char *run_output(char *const *argv, struct process_opts o, int *status)
{
	static char text[4096];
	int out = open("out", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct process_fd fd[] = { { out, 1 }, { PROCESS_NULL, 0 }, { out, 5 } };
	struct process p;

	o.program = argv[0];
	o.argv = argv;
	o.fd = fd;
	o.fds = COUNT(fd);
	*status = process_start(&p, &o) < 0 ? -1 : process_wait(&p);
	ssize_t got = pread(out, text, sizeof(text) - 1, 0);
	text[got > 0 ? got : 0] = '\0';
	close(out);
	return text;
}

static char *shell_output(const char *line, struct process_opts o, int *status)
{
	char *argv[] = { "sh", "-c", (char *)line, NULL };

	return run_output(argv, o, status);
}

static void test_state(void)
{
	static char *const set[] = { "PROCESS_NEW=new", "PROCESS_OLD=changed", NULL };
	static char *const grep[] = { "grep", "-E", "Sig(Blk|Ign)", "/proc/self/status",
		NULL };
	sigset_t mask, before;
	int status;
	char *text;

	setenv("PROCESS_OLD", "old", 1);
	char **env = process_env(set);
	text =
	    shell_output("pwd; echo $PROCESS_NEW $PROCESS_OLD; echo five >&5; cat; exit 3",
	        (struct process_opts){ .dir = "/", .env = env }, &status);
	tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 3,
	    "process_wait returns the exit status");
	tap_ok(strcmp(text, "/\nnew changed\nfive\n") == 0,
	    "a process has the directory, environment and descriptors of its options: %s",
	    text);
	free(env);

	signal(SIGUSR1, on_signal);
	signal(SIGUSR2, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&mask);
	sigaddset(&mask, SIGURG);
	sigprocmask(SIG_BLOCK, &mask, &before);
	text = run_output(grep, (struct process_opts){ .group = true }, &status);
	sigprocmask(SIG_SETMASK, &before, NULL);
	signal(SIGPIPE, SIG_DFL);
	tap_ok(strstr(text, "SigBlk:\t0000000000400000\n"),
	    "a process inherits the signal mask: %s", text);
	unsigned long long ignored = 0;
	if (strstr(text, "SigIgn:"))
		ignored = strtoull(strstr(text, "SigIgn:") + 7, NULL, 16);
	tap_ok(ignored >> (SIGUSR2 - 1) & 1,
	    "a process ignores signals that the caller ignores");
	tap_ok(!(ignored >> (SIGPIPE - 1) & 1),
	    "a process has the default action for SIGPIPE");
	text = shell_output(
	    "kill -USR1 $$; echo survived", (struct process_opts){ 0 }, &status);
	tap_ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1,
	    "a process has the default action for a signal that the caller catches");
}

/* Two descriptors below PROCESS_FD_END change places. */
static void test_swap(void)
{
	int a = open("a", O_RDWR | O_CREAT, 0600), b = open("b", O_RDWR | O_CREAT, 0600);
	char line[64], *argv[] = { "sh", "-c", line, NULL };
	struct process_fd fd[] = { { a, b }, { b, a } };
	struct process_opts o = { .program = "sh", .argv = argv, .fd = fd, .fds = 2 };
	struct process p;
	char got[8] = "";

	snprintf(line, sizeof(line), "echo A >&%d; echo B >&%d", b, a);
	tap_ok(a < PROCESS_FD_END && b < PROCESS_FD_END,
	    "the descriptors to be swapped are low");
	tap_ok(process_start(&p, &o) == 0 && process_wait(&p) == 0,
	    "a process writes to swapped descriptors");
	tap_ok(pread(a, got, 7, 0) == 2 && *got == 'A' && pread(b, got, 7, 0) == 2 &&
	           *got == 'B',
	    "swapped descriptors have each other's numbers");
	close(a);
	close(b);
}

/* Starts a program that needs standard input only, where no descriptor is above 7. */
static void test_few_descriptors(void)
{
	char *argv[] = { "true", NULL };
	struct process_fd fd[] = { { PROCESS_NULL, 0 } };
	struct process_opts o = { .program = "true", .argv = argv, .fd = fd, .fds = 1 };
	struct process p;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		for (int i = 3; i < 8; i++)
			close(i);
		setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 8, 8 });
		_exit(process_start(&p, &o) < 0 || process_wait(&p) != 0);
	}
	tap_ok(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0,
	    "a limit of 8 descriptors is enough for a program");
}

static int start_error(const char *program)
{
	char *argv[] = { (char *)program, NULL };
	struct process_opts o = { .program = program, .argv = argv };
	struct process p;

	errno = 0;
	return process_start(&p, &o) < 0 && p.pid == 0 ? errno : 0;
}

static void test_errors(void)
{
	char *path = str_copy(getenv("PATH"));
	int fd;

	tap_ok(start_error("no-such-program") == ENOENT,
	    "process_start sets ENOENT for a program that is not in PATH");
	tap_ok(start_error("./no/such") == ENOENT,
	    "process_start sets ENOENT for an absent file");
	tap_ok(start_error("") == ENOENT, "process_start sets ENOENT for an empty name");
	fd = open("plain", O_WRONLY | O_CREAT, 0600);
	close(fd);
	tap_ok(start_error("./plain") == EACCES,
	    "process_start sets EACCES for a file that is not executable");
	setenv("PATH", ":/nowhere", 1);
	tap_ok(start_error("plain") == EACCES,
	    "process_start prefers EACCES to ENOENT in PATH");
	chmod("plain", 0700);
	tap_ok(start_error("plain") == ENOEXEC,
	    "process_start sets ENOEXEC for a file that is not a program");
	setenv("PATH", path, 1);
	free(path);
	tap_ok(waitpid(-1, NULL, 0) < 0 && errno == ECHILD,
	    "a failed process_start leaves no process");
}

static void test_gate(void)
{
	char *argv[] = { "touch", "touched", NULL };
	struct process_opts o = { .program = "touch",
		.argv = argv,
		.group = true,
		.dies_with_us = true,
		.gate = true };
	struct process p;

	tap_ok(process_start(&p, &o) == 0 && kill(p.pid, 0) == 0 && getpgid(p.pid) == p.pid,
	    "a process at a gate exists and leads its group");
	process_cancel(&p);
	tap_ok(
	    access("touched", F_OK) < 0, "a canceled process does not execute its program");
	tap_ok(process_start(&p, &o) == 0 && process_go(&p) == 0 && process_wait(&p) == 0 &&
	           access("touched", F_OK) == 0,
	    "process_go executes the program");
	o.program = "./no/such";
	tap_ok(process_start(&p, &o) == 0 && process_go(&p) < 0 && errno == ENOENT,
	    "process_go reports a program that cannot be executed");
}

static void test_run(void)
{
	char *argv[] = { "sh", "-c", "cat; echo error >&2; kill -TERM $$", NULL };
	struct process_run r;
	struct buf out = { 0 }, err = { 0 };
	struct fault f = { 0 };
	int in = process_run_input(TEXT("input\n"), &f);

	tap_ok(in >= 0 && process_run_start(&r, argv, in, &f) == 0,
	    "process_run_start starts a program");
	tap_ok(process_run_wait(&r, &out, &err, &f) == 128 + SIGTERM,
	    "process_run_wait returns 128 plus the number of a signal");
	tap_ok(strcmp(out.ptr, "input\n") == 0 && strcmp(err.ptr, "error\n") == 0,
	    "process_run_wait reads output and errors");
	close(in);
	argv[0] = "no-such-program";
	tap_ok(process_run_start(&r, argv, PROCESS_NULL, &f) < 0 && errno == ENOENT &&
	           strcmp(f.text,
	               "no-such-program cannot be started: No such file or directory") == 0,
	    "process_run_start names a program that is absent");
	buf_free(&out);
	buf_free(&err);
}

/* Adds the length of a piece of output. */
static void count_bytes(void *sum, struct text piece)
{
	*(size_t *)sum += piece.len;
}

static void test_pipe(void)
{
	char *argv[] = { "sh", "-c", "head -c 1000000 /dev/zero; exit 3", NULL };
	struct process_run r;
	struct buf err = { 0 };
	struct fault f = { 0 };
	struct stat st;
	size_t sum = 0;

	tap_ok(process_run_start_piped(&r, argv, PROCESS_NULL, &f) == 0 &&
	           fstat(r.out, &st) == 0 && S_ISFIFO(st.st_mode),
	    "process_run_start_piped starts a program that writes to a pipe");
	tap_ok(process_run_wait_each(&r, count_bytes, &sum, &err, &f) == 3 && sum == 1000000,
	    "process_run_wait_each reads all that a program writes to a pipe");
	buf_free(&err);
}

int main(void)
{
	if (!tap_ok(scratch_begin(), "a directory for the test exists"))
		return tap_end();
	test_state();
	test_swap();
	test_few_descriptors();
	test_errors();
	test_gate();
	test_run();
	test_pipe();
	scratch_end();
	return tap_end();
}
