/*
 * Starting a command behind a gate: its process is there, and can be watched, before its
 * program is.
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <sys/types.h>

#include "base/base.h"

struct launch {
	pid_t pid;
	int pidfd;    /* readable when the process has ended */
	bool grouped; /* in a process group of its own */
	int gate, report;
};

/*
 * Fork, and wait before exec. The command's standard output will be our standard error; its
 * standard input is ours. It gets a process group of its own unless standard input is a
 * terminal, which then sends its signals to all of us. 0, or -1 and the message.
 */
int launch_open(struct launch *l, const char *path, char *const *argv, struct fault *f);
/* Open the gate. 0, or -1 when the program cannot be executed. */
int launch_go(struct launch *l, const char *path, struct fault *f);
void launch_kill(const struct launch *l, int signal); /* with its group */
/* Wait for its end; the status as wait(2) gives it. A gate that is closed still is no end.
 */
int launch_wait(struct launch *l);
/* For one whose gate was not opened: let it go away. */
void launch_cancel(struct launch *l);

#endif
