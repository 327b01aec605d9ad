/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the time of each node by a profile. A session that writes one is slower, so the
 * runs that are measured as a whole do not: this loads the model into a second session,
 * which is the same otherwise.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/hook/hook.h"
#include "onnxruntime_model.h"
#include "onnxruntime_profile.h"

/* The profile has at most a million events, and its times are in whole microseconds: runs
 * are repeated for their mean, which the first, slower one is not part of. */
enum { RUNS_LEAST = 3, RUNS_MOST = 200, THREADS_MOST = 256 };
static const int64_t least_ns = 500000000;

/* A node, and the sum of its times. */
struct profiled_node {
	char *name, *operator_type;
	int64_t total_us;
};

/* The executions of nodes in one run. Their starts are in microseconds of the profile. */
struct profiled_run {
	struct backend_op_span *span;
	size_t count, cap;
	int64_t start_us;
};

/* The nodes in the order of their first run. */
struct profiled_nodes {
	struct profiled_node *node;
	size_t count, cap;
	size_t runs;
	struct profiled_run last, current; /* the last complete run, and that after it */
	int64_t thread[THREADS_MOST];      /* by the number that is reported */
	uint32_t threads;
};

/* Removes a directory and the files in it. */
static void remove_directory(const char *path)
{
	DIR *d = opendir(path);

	for (struct dirent *entry; d && (entry = readdir(d));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(d), entry->d_name, 0);
	if (d)
		closedir(d);
	rmdir(path);
}

/* Makes room for one more element of an array. Returns the array, or NULL; the old one is
 * then unchanged. */
static void *more_room(void *array, size_t count, size_t *cap, size_t size)
{
	void *larger = array;

	if (count == *cap) {
		const size_t wanted = *cap ? 2 * *cap : 64;

		larger = realloc(array, wanted * size);
		if (larger)
			*cap = wanted;
	}
	return larger;
}

/* Finds the node of an event, which is added if it is new. Returns 0, or -1 without memory.
 * The nodes of a run have one order, so that the search begins at a number, which then
 * becomes that after the node. */
static int find_node(
    struct profiled_nodes *n, const struct ort_event *e, size_t *next, size_t *found)
{
	struct profiled_node *node;

	for (size_t i = 0; i < n->count; i++) {
		*found = (*next + i) % n->count;
		if (strcmp(n->node[*found].name, e->name) == 0) {
			*next = *found + 1;
			return 0;
		}
	}
	node = more_room(n->node, n->count, &n->cap, sizeof(*node));
	if (!node)
		return -1;
	n->node = node;
	node += n->count;
	*node = (struct profiled_node){ strdup(e->name), strdup(e->operator_type), 0 };
	*found = n->count++;
	*next = n->count;
	return node->name && node->operator_type ? 0 : -1;
}

/* Returns the number of a thread, in the order of their first events. */
static uint32_t find_thread(struct profiled_nodes *n, int64_t thread)
{
	uint32_t i = 0;

	while (i < n->threads && n->thread[i] != thread)
		i++;
	if (i == n->threads && i < THREADS_MOST)
		n->thread[n->threads++] = thread;
	return i < THREADS_MOST ? i : THREADS_MOST - 1;
}

/* Adds an execution of a node. */
static int add_time(struct profiled_nodes *n, const struct ort_event *e, size_t *next)
{
	struct profiled_run *run = &n->current;
	struct backend_op_span *span =
	    more_room(run->span, run->count, &run->cap, sizeof(*span));
	size_t node;

	if (!span)
		return -1;
	run->span = span;
	if (find_node(n, e, next, &node))
		return -1;
	n->node[node].total_us += e->length_us;
	run->span[run->count++] = (struct backend_op_span){ .op = node,
		.start_ns = e->start_us,
		.ns = (double)e->length_us * 1e3,
		.thread = find_thread(n, e->thread) };
	return 0;
}

/* Makes the current run the last complete one. */
static void end_run(struct profiled_nodes *n, const struct ort_event *e)
{
	const struct profiled_run last = n->last;

	n->runs++;
	n->last = n->current;
	n->last.start_us = e->start_us;
	n->current = last;
	n->current.count = 0;
}

/* Reads the profile: the nodes' times in all runs but the first. */
static int read_profile(const char *path, struct profiled_nodes *n, char *why)
{
	FILE *f = fopen(path, "r");
	struct ort_event e;
	char *line = NULL;
	size_t size = 0, next = 0;
	int64_t skip_until = -1;
	int result = 0;

	if (!f)
		return hook_fail(why, "the profile cannot be read: %s", strerror(errno));
	/* A run's event follows those of its nodes. */
	while (skip_until < 0 && getline(&line, &size, f) >= 0)
		if (ort_event_read(line, &e) && e.run)
			skip_until = e.start_us + e.length_us;
	while (result == 0 && getline(&line, &size, f) >= 0) {
		if (!ort_event_read(line, &e) || e.start_us < skip_until)
			continue;
		if (e.run)
			end_run(n, &e);
		if (e.node && add_time(n, &e, &next))
			result = hook_fail(why, "out of memory");
	}
	free(line);
	fclose(f);
	if (result == 0 && n->runs == 0)
		result = hook_fail(why, "the profile has no runs");
	return result;
}

/* Runs a session that writes a profile, and stores when each run started. Returns the path
 * of the profile, which the library allocated, or NULL and the reason. */
static char *run_profiled(struct backend_model *m, struct ort_allocator *allocator,
    int64_t started_ns[RUNS_MOST + 1], char *why)
{
	const struct ort *o = m->session->ort;
	struct ort_session *session = ort_session_make(m, why);
	char *path = NULL;
	int result = session ? 0 : -1;

	for (int i = 0; i <= RUNS_MOST && result == 0; i++) {
		started_ns[i] = hook_now_ns();
		result = ort_session_run(m, session, why);
		if (i >= RUNS_LEAST && hook_now_ns() - started_ns[0] > least_ns)
			break;
	}
	if (session && ort_check(o, o->api.profile_end(session, allocator, &path),
	                   "the profile cannot be written", why))
		result = -1;
	if (session)
		o->api.session_free(session);
	if (result && path)
		ort_check(o, o->api.allocator_release(allocator, path), "", why);
	return result ? NULL : path;
}

/* Reports the mean times, and the executions of the last run. The profile has a clock of
 * its own: that run is shown as beginning when the host started it. */
static void report_nodes(const struct profiled_nodes *n,
    const int64_t started_ns[RUNS_MOST + 1], const struct backend_op_report *to)
{
	for (size_t i = 0; i < n->count; i++)
		to->mean(to->context, n->node[i].name, n->node[i].operator_type,
		    (double)n->node[i].total_us * 1e3 / (double)n->runs);
	/* n->runs are those after the first. */
	for (size_t i = 0; i < n->last.count && n->runs <= RUNS_MOST; i++) {
		struct backend_op_span span = n->last.span[i];

		span.start_ns =
		    started_ns[n->runs] + (span.start_ns - n->last.start_us) * 1000;
		to->span(to->context, &span);
	}
}

static void free_nodes(struct profiled_nodes *n)
{
	for (size_t i = 0; i < n->count; i++) {
		free(n->node[i].name);
		free(n->node[i].operator_type);
	}
	free(n->node);
	free(n->last.span);
	free(n->current.span);
}

int ort_model_time_ops(
    struct backend_model *m, const struct backend_op_report *to, char *why)
{
	const struct ort *o = m->session->ort;
	const char *temporary = getenv("TMPDIR");
	struct profiled_nodes n = { 0 };
	struct ort_allocator *allocator = NULL;
	char directory[2048], prefix[2064], *path = NULL;
	int64_t started_ns[RUNS_MOST + 1];
	int result = -1;

	snprintf(directory, sizeof(directory), "%s/benchutils.XXXXXX",
	    temporary && *temporary ? temporary : "/tmp");
	if (!mkdtemp(directory))
		return hook_fail(why, "%s: %s", directory, strerror(errno));
	snprintf(prefix, sizeof(prefix), "%s/profile", directory);
	if (ort_check(o, o->api.allocator(&allocator), "", why) == 0 &&
	    ort_check(o, o->api.profile_on(m->options, prefix), "", why) == 0)
		path = run_profiled(m, allocator, started_ns, why);
	if (path)
		result = read_profile(path, &n, why);
	if (result == 0)
		report_nodes(&n, started_ns, to);
	if (path)
		ort_check(o, o->api.allocator_release(allocator, path), "", why);
	remove_directory(directory);
	free_nodes(&n);
	return result;
}
