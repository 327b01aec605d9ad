/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the table of events; see list_events.h.
 */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "catalog/list_events.h"
#include "counters/event_probe.h"
#include "record/metric.h"
#include "sys/kernel_files.h"

struct event_table {
	const struct list_request *request;
	struct render *render;
	struct kernel_files files;
	struct event_probe probe;
	struct metrics *metrics;
	long rows;
};

/* An event, and whether this machine can count it. */
struct probed_event {
	struct event_code code;
	const char *status, *remark;
};

static bool event_wanted(const struct list_request *r, const char *name)
{
	for (size_t i = 0; i < r->globs; i++)
		if (fnmatch(r->glob[i], name, FNM_CASEFOLD) == 0)
			return true;
	return r->globs == 0;
}

/* Tries to count an event. */
static struct probed_event probe_event(struct event_table *t, const char *name)
{
	struct probed_event event = { .status = "ok", .remark = "" };
	struct fault ignored;
	bool user_only = false;
	int error = event_encode(&t->files, name, &event.code, &ignored) < 0 ||
	                    event.code.of_packages
	                ? EINVAL
	                : event_probe_try(&t->probe, name, &event.code, &user_only);

	if (user_only)
		event.remark = "user mode only";
	if (error)
		event.status = error == EACCES || error == EPERM ? "denied" : "unsupported";
	return event;
}

static void put_event(void *ctx, const char *name, const char *pmu, const char *description)
{
	struct event_table *t = ctx;
	const struct metric *metric = metrics_find(t->metrics, text_of(name));
	char type[16], config[24];

	if (!event_wanted(t->request, name))
		return;
	struct probed_event event = probe_event(t, name);
	if (!t->request->all && strcmp(event.status, "ok") != 0)
		return;
	snprintf(type, sizeof(type), "%" PRIu32, event.code.type);
	snprintf(config, sizeof(config), "0x%" PRIx64, event.code.config);
	description = !*description && metric ? metric->meaning : description;
	struct cell cells[] = { CELL_OF_TEXT(text_of(name)), CELL_OF_TEXT(text_of(pmu)),
		CELL_OF_TEXT(text_of(type)), CELL_OF_TEXT(text_of(config)),
		CELL_OF_TEXT(text_of(event.status)), CELL_OF_TEXT(text_of(event.remark)),
		CELL_OF_TEXT(text_of(description)) };
	render_row(t->render, cells);
	t->rows++;
}

long list_events(const struct list_request *r, struct fault *f)
{
	static const struct render_column columns[] = { { .name = "event" },
		{ .name = "pmu", .rank = 4 }, { .name = "type", .plain_only = true },
		{ .name = "config", .plain_only = true }, { .name = "status", .rank = 3 },
		{ .name = "remark", .rank = 2 },
		{ .name = "description", .rank = 1, .look = LOOK_PROSE } };
	struct event_table t = { .request = r, .metrics = metrics_open(f) };
	int status;

	if (!t.metrics)
		return -1;
	if (kernel_files_open(&t.files, kernel_files_root(), f) < 0) {
		metrics_free(t.metrics);
		return -1;
	}
	t.render = render_open(r->out, columns, COUNT(columns));
	status = event_each(&t.files, put_event, &t, f);
	if (render_close(t.render) < 0 && status == 0)
		status = fault_errno(f, "standard output");
	kernel_files_close(&t.files);
	event_probe_free(&t.probe);
	metrics_free(t.metrics);
	return status < 0 ? -1 : t.rows;
}
