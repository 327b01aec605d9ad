/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hooks: shell commands around the runs of a subject. After a signal, those that clean up
 * (--conclude, --cleanup) still run, for HOOKS_GRACE_S altogether.
 */
#ifndef RUN_HOOKS_H
#define RUN_HOOKS_H

#include "run/spawn_client.h"
#include "subject/subject.h"

enum { HOOKS_GRACE_S = WIRE_GRACE_S };

struct hooks {
	const struct subjects *subjects;
	struct spawn_client *helper; /* NULL: there are no hooks */
	size_t begun;        /* subjects whose --setup was begun, if they have any */
	int64_t deadline_ns; /* of the hooks after a signal; 0: none has run yet */
};

/*
 * Runs a hook of a subject, if it has one. Returns 0; 1 when a signal ended it or prevented
 * its start; or -1 and the message when it failed or took too long after a signal.
 */
int hooks_run(
    struct hooks *h, const struct subject *subject, enum hook hook, struct fault *f);
/*
 * Runs a hook of all subjects; --cleanup only of those whose --setup was begun. Returns 0,
 * or -1 and the message of the first that failed, which ends it.
 */
int hooks_run_all(struct hooks *h, enum hook hook, struct fault *f);

#endif
