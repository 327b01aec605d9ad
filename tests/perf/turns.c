/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * turns MS OUT1 OUT2 COMMAND1 COMMAND2: runs two shell commands which take turns of MS
 * milliseconds on the processors, so that both meet the same states of the machine: all
 * processes of the other one are stopped meanwhile. Their standard outputs go to the two
 * files. A time that a command measures over the end of its turn contains the other one's
 * turn: compare medians of times that are much shorter than a turn. Fails if a command
 * does. Both are killed with it.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* Starts a command as the leader of a session, stopped. */
static pid_t start(const char *command, const char *out)
{
	const pid_t child = fork();
	int status;

	if (child == 0) {
		const int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || setsid() < 0)
			fail(out);
		raise(SIGSTOP);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, WUNTRACED) != child || !WIFSTOPPED(status))
		exit(1);
	return child;
}

/* Sends a signal to all processes of a session. */
static void send_session(pid_t session, int sig)
{
	DIR *proc = opendir("/proc");

	if (!proc)
		fail("/proc");
	for (struct dirent *entry; (entry = readdir(proc));) {
		const pid_t pid = (pid_t)atoi(entry->d_name);

		if (pid > 0 && getsid(pid) == session)
			kill(pid, sig);
	}
	closedir(proc);
}

int main(int argc, char **argv)
{
	pid_t child[2];
	bool ended[2] = { false, false }, failed = false;

	if (argc != 6 || atoi(argv[1]) < 1)
		return 2;
	const long ms = atoi(argv[1]);
	for (int i = 0; i < 2; i++)
		child[i] = start(argv[4 + i], argv[2 + i]);
	for (int i = 0; !ended[0] || !ended[1]; i = !i) {
		int status;

		if (ended[i])
			continue;
		send_session(child[i], SIGCONT);
		nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
		if (!ended[!i])
			send_session(child[i], SIGSTOP);
		if (waitpid(child[i], &status, WNOHANG) == child[i]) {
			ended[i] = true;
			failed = failed || status != 0;
		}
	}
	return failed;
}
