/*
 * Running another program to its end. Its input, output and complaints are memory files, so
 * that nothing has to be read meanwhile and nothing can block.
 */
#ifndef CHILD_H
#define CHILD_H

#include <sys/types.h>

#include "base/base.h"

/* A memory file with this text, to be closed; -1 and the message. */
int child_text(struct text t, struct fault *f);

struct child {
	pid_t pid;
	int out, said;
};

/*
 * Start a program, found by PATH when its name has no slash, reading the memory file from
 * its first byte. 0; or -1, the message, and in errno why it could not be started.
 */
int child_start(struct child *c, char *const *argv, int input, struct fault *f);
/*
 * Wait for its end; append its output, and what it said on standard error. Its exit status,
 * 128 and the signal's number when one killed it, or -1 and the message.
 */
int child_wait(struct child *c, struct buf *out, struct buf *said, struct fault *f);

#endif
