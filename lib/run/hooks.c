/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hooks; see hooks.h.
 */
#include <sys/wait.h>

#include "base/clock.h"
#include "run/hooks.h"
#include "sys/interrupt.h"

static const char *const hook_names[HOOKS] = { "setup", "prepare", "conclude", "cleanup" };

static bool hook_tidies(enum hook hook)
{
	return hook == HOOK_CONCLUDE || hook == HOOK_CLEANUP;
}

/* Returns the time left for hooks after a signal. */
static double grace_left_ns(struct hooks *h)
{
	int64_t now_ns = clock_monotonic_ns();

	if (!h->deadline_ns)
		h->deadline_ns = now_ns + HOOKS_GRACE_S * INT64_C(1000000000);
	return (double)(h->deadline_ns - now_ns);
}

static int hook_failed(
    const char *name, const char *line, const struct wire_result *r, struct fault *f)
{
	if (r->timed_out)
		return fault_set(f,
		    "--%s '%s' was killed: it did not end within %d s of the signal", name,
		    line, HOOKS_GRACE_S);
	if (WIFEXITED(r->status))
		return fault_set(f, "--%s '%s' ended with status %d", name, line,
		    WEXITSTATUS(r->status));
	return fault_set(
	    f, "--%s '%s' was killed by signal %d", name, line, WTERMSIG(r->status));
}

int hooks_run(
    struct hooks *h, const struct subject *subject, enum hook hook, struct fault *f)
{
	char *line = subject->hook[hook], *argv[] = { "/bin/sh", "-c", line, NULL };
	struct spawn_request q = { .path = argv[0],
		.argv = argv,
		.env = subject->env,
		.output = OUTPUT_INHERIT,
		.sheltered = hook_tidies(hook) };
	struct wire_result result;

	if (!line)
		return 0;
	if (interrupt_seen()) {
		if (!q.sheltered)
			return 1;
		q.timeout_ns = grace_left_ns(h);
		if (q.timeout_ns <= 0)
			return fault_set(f,
			    "--%s '%s' was not run: the %d s for hooks after a signal are "
			    "over",
			    hook_names[hook], line, HOOKS_GRACE_S);
	}
	if (spawn_client_run(h->helper, &q, &result, NULL, NULL, f) < 0)
		return -1;
	if (WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0)
		return 0;
	return interrupt_seen() && !q.sheltered
	           ? 1
	           : hook_failed(hook_names[hook], line, &result, f);
}

int hooks_run_all(struct hooks *h, enum hook hook, struct fault *f)
{
	size_t count = hook == HOOK_CLEANUP ? h->begun : h->subjects->count;
	int status = 0;

	for (size_t i = 0; i < count && status == 0; i++) {
		if (hook == HOOK_SETUP && !interrupt_seen())
			h->begun = i + 1;
		status = hooks_run(h, &h->subjects->subject[i], hook, f);
	}
	return status < 0 ? -1 : 0;
}
