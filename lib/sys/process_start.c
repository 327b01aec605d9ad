/*
 * The gate; see process_start.h. It is a pipe that the child reads from; another one, closed by
 * exec, tells whether exec worked.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/process_start.h"

/* The child's half: wait at the gate, then become the command. */
static _Noreturn void become(
    const char *path, char *const *argv, bool grouped, int gate, int report)
{
	char go;
	int error;

	if (grouped)
		setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	if (read(gate, &go, 1) != 1)
		_exit(127);
	if (dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
		execv(path, argv);
	error = errno;
	while (write(report, &error, sizeof(error)) < 0 && errno == EINTR)
		;
	_exit(127);
}

int launch_open(struct launch *l, const char *path, char *const *argv, struct fault *f)
{
	int gate[2], report[2];

	*l = (struct launch){ .grouped = !isatty(STDIN_FILENO), .pidfd = -1 };
	if (pipe2(gate, O_CLOEXEC) < 0)
		return fault_errno(f, "pipe");
	if (pipe2(report, O_CLOEXEC) < 0) {
		close(gate[0]);
		close(gate[1]);
		return fault_errno(f, "pipe");
	}
	l->pid = fork();
	if (l->pid == 0) {
		close(gate[1]);
		become(path, argv, l->grouped, gate[0], report[1]);
	}
	close(gate[0]);
	close(report[1]);
	l->gate = gate[1];
	l->report = report[0];
	if (l->pid < 0) {
		fault_errno(f, "fork");
		close(l->gate);
		close(l->report);
		return -1;
	}
	if (l->grouped)
		setpgid(l->pid, l->pid);
	l->pidfd = pidfd_open(l->pid, 0);
	if (l->pidfd < 0) {
		fault_errno(f, "pidfd_open");
		launch_cancel(l);
		return -1;
	}
	return 0;
}

int launch_go(struct launch *l, const char *path, struct fault *f)
{
	int error = 0;
	ssize_t got;

	while (write(l->gate, "", 1) < 0 && errno == EINTR)
		;
	close(l->gate);
	while ((got = read(l->report, &error, sizeof(error))) < 0 && errno == EINTR)
		;
	close(l->report);
	if (got != sizeof(error))
		return 0;
	launch_wait(l);
	errno = error;
	return fault_errno(f, "%s: cannot be executed", path);
}

void launch_kill(const struct launch *l, int number)
{
	kill(l->grouped ? -l->pid : l->pid, number);
}

int launch_wait(struct launch *l)
{
	int status = 0;

	while (waitpid(l->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (l->pidfd >= 0)
		close(l->pidfd);
	l->pidfd = -1;
	return status;
}

void launch_cancel(struct launch *l)
{
	close(l->gate);
	close(l->report);
	launch_wait(l);
}
