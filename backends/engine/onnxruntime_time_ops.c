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
#include <time.h>
#include <unistd.h>

#include "engine_fail.h"
#include "onnxruntime_model.h"
#include "onnxruntime_profile.h"

/* The profile has at most a million events, and its times are in whole microseconds: runs
 * are repeated for their mean, which the first, slower one is not part of. */
enum { RUNS_LEAST = 3, RUNS_MOST = 200 };
static const double seconds_least = 0.5;

/* A node, and the sum of its times. */
struct profiled_node {
	char *name, *operator_type;
	int64_t total_us;
};

/* The nodes in the order of their first run. */
struct profiled_nodes {
	struct profiled_node *node;
	size_t count, cap;
	size_t runs;
};

static double now_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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

/* Adds the time of an event to its node. The nodes of a run have one order, so that the
 * search begins after the last one found. */
static int add_time(struct profiled_nodes *n, const struct ort_event *e, size_t *after)
{
	for (size_t i = 0; i < n->count; i++) {
		const size_t at = (*after + i) % n->count;

		if (strcmp(n->node[at].name, e->name) == 0) {
			n->node[at].total_us += e->length_us;
			*after = at + 1;
			return 0;
		}
	}
	if (n->count == n->cap) {
		const size_t cap = n->cap ? 2 * n->cap : 64;
		struct profiled_node *node = realloc(n->node, cap * sizeof(*node));

		if (!node)
			return -1;
		n->node = node;
		n->cap = cap;
	}
	struct profiled_node *node = &n->node[n->count];

	*node = (struct profiled_node){ strdup(e->name), strdup(e->operator_type),
		e->length_us };
	n->count++;
	*after = n->count;
	return node->name && node->operator_type ? 0 : -1;
}

/* Reads the profile: the nodes' times in all runs but the first. */
static int read_profile(const char *path, struct profiled_nodes *n, char *why)
{
	FILE *f = fopen(path, "r");
	struct ort_event e;
	char *line = NULL;
	size_t size = 0, after = 0;
	int64_t skip_until = -1;
	int result = 0;

	if (!f)
		return engine_fail(why, "the profile cannot be read: %s", strerror(errno));
	/* A run's event follows those of its nodes. */
	while (skip_until < 0 && getline(&line, &size, f) >= 0)
		if (ort_event_read(line, &e) && e.run)
			skip_until = e.start_us + e.length_us;
	while (result == 0 && getline(&line, &size, f) >= 0) {
		if (!ort_event_read(line, &e) || e.start_us < skip_until)
			continue;
		n->runs += e.run;
		if (e.node && add_time(n, &e, &after))
			result = engine_fail(why, "out of memory");
	}
	free(line);
	fclose(f);
	if (result == 0 && n->runs == 0)
		result = engine_fail(why, "the profile has no runs");
	return result;
}

/* Runs a session that writes a profile. Returns the path of the profile, which the library
 * allocated, or NULL and the reason. */
static char *run_profiled(
    struct backend_model *m, struct ort_allocator *allocator, char *why)
{
	const struct ort *o = m->session->ort;
	struct ort_session *session = ort_session_make(m, why);
	char *path = NULL;
	const double start = now_seconds();
	int result = session ? 0 : -1;

	for (int i = 0; i <= RUNS_MOST && result == 0; i++) {
		result = ort_session_run(m, session, why);
		if (i >= RUNS_LEAST && now_seconds() - start > seconds_least)
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

int ort_model_time_ops(
    struct backend_model *m, backend_report_op *report, void *context, char *why)
{
	const struct ort *o = m->session->ort;
	const char *temporary = getenv("TMPDIR");
	struct profiled_nodes n = { 0 };
	struct ort_allocator *allocator = NULL;
	char directory[2048], prefix[2064], *path = NULL;
	int result = -1;

	snprintf(directory, sizeof(directory), "%s/benchutils.XXXXXX",
	    temporary && *temporary ? temporary : "/tmp");
	if (!mkdtemp(directory))
		return engine_fail(why, "%s: %s", directory, strerror(errno));
	snprintf(prefix, sizeof(prefix), "%s/profile", directory);
	if (ort_check(o, o->api.allocator(&allocator), "", why) == 0 &&
	    ort_check(o, o->api.profile_on(m->options, prefix), "", why) == 0)
		path = run_profiled(m, allocator, why);
	if (path && read_profile(path, &n, why) == 0) {
		for (size_t i = 0; i < n.count; i++)
			report(context, n.node[i].name, n.node[i].operator_type,
			    (double)n.node[i].total_us * 1e3 / (double)n.runs);
		result = 0;
	}
	if (path)
		ort_check(o, o->api.allocator_release(allocator, path), "", why);
	remove_directory(directory);
	for (size_t i = 0; i < n.count; i++) {
		free(n.node[i].name);
		free(n.node[i].operator_type);
	}
	free(n.node);
	return result;
}
