/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hooks: shell commands that run before and after the executions of a subject. After a
 * signal, --conclude and --cleanup still run, for HOOKS_GRACE_S altogether.
 */
#ifndef RUN_HOOKS_H
#define RUN_HOOKS_H

#include "helper/spawn_client.h"
#include "subject/subject.h"

enum { HOOKS_GRACE_S = WIRE_GRACE_S };

struct hooks {
	const struct subjects *subjects;
	struct spawn_client *helper; /* NULL: there are no hooks */
	size_t begun; /* number of subjects whose --setup was started, including those
	                 without one */
	int64_t deadline_ns; /* of the hooks after a signal; 0: none has run yet */
};

/*
 * Runs a hook of a subject, if it has one. Returns 0; 1 if a signal ended the hook or
 * prevented its start; or -1 and the message if the hook failed or took too long after
 * a signal.
 */
int hooks_run(
    struct hooks *h, const struct subject *subject, enum hook hook, struct fault *f);
/*
 * Runs a hook of all subjects; --cleanup only for those whose --setup was started.
 * Returns 0, or -1 and the message of the first hook that failed; later hooks are not
 * run.
 */
int hooks_run_all(struct hooks *h, enum hook hook, struct fault *f);

#endif
