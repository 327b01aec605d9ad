/*
 * bench-list: what can be measured here. A kind of thing is a row of the table kinds[].
 */
#include <err.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_probe.h"
#include "metric.h"
#include "opt.h"
#include "render.h"
#include "share.h"
#include "tree.h"

static struct {
	bool all;
} o;

static const struct opt opts[] = {
	OPT('a', "all", &o.all, NULL, "also what cannot be measured here, with the reason"),
	OPT_END,
};

static const char *const synopsis[] = {
	"[-a] [--csv | --table | --json] events [glob...]",
	NULL,
};

static const char *const verbs[] = { "events", NULL };

static const struct opt_program program = {
	.name = "bench-list",
	.synopsis = synopsis,
	.summary = "List what can be measured on this machine.",
	.verbs = verbs,
	.opts = opts,
	.flags = OPT_FORMATS,
};

struct listing {
	struct render *render;
	struct tree tree;
	struct metrics *metrics;
	char *const *glob;
	int globs;
	size_t listed;
};

static bool wanted(const struct listing *l, const char *name)
{
	for (int i = 0; i < l->globs; i++)
		if (fnmatch(l->glob[i], name, FNM_CASEFOLD) == 0)
			return true;
	return l->globs == 0;
}

struct found {
	struct event_code code;
	const char *status, *remark;
};

/* What counting an event comes to. */
static struct found look(const struct listing *l, const char *name)
{
	struct found found = { .status = "ok", .remark = "" };
	struct fault ignored;
	bool user_only = false;
	int error = event_encode(&l->tree, name, &found.code, &ignored) < 0
	                ? EINVAL
	                : event_probe(&found.code, &user_only);

	if (user_only)
		found.remark = "user mode only";
	if (error)
		found.status = error == EACCES || error == EPERM ? "denied" : "unsupported";
	return found;
}

static void list_event(
    void *ctx, const char *name, const char *pmu, const char *description)
{
	struct listing *l = ctx;
	const struct metric *metric = metrics_find(l->metrics, text_of(name));
	char type[16], config[24];

	if (!wanted(l, name))
		return;
	struct found found = look(l, name);
	if (!o.all && strcmp(found.status, "ok") != 0)
		return;
	snprintf(type, sizeof(type), "%" PRIu32, found.code.type);
	snprintf(config, sizeof(config), "0x%" PRIx64, found.code.config);
	if (!*description && metric)
		description = metric->meaning;
	struct cell cells[] = { CELL_OF_TEXT(text_of(name)), CELL_OF_TEXT(text_of(pmu)),
		CELL_OF_TEXT(text_of(type)), CELL_OF_TEXT(text_of(config)),
		CELL_OF_TEXT(text_of(found.status)), CELL_OF_TEXT(text_of(found.remark)),
		CELL_OF_TEXT(text_of(description)) };
	render_row(l->render, cells);
	l->listed++;
}

static int list_events(struct listing *l, struct fault *f)
{
	static const struct render_column columns[] = { { .name = "event" },
		{ .name = "pmu" }, { .name = "type", .plain_only = true },
		{ .name = "config", .plain_only = true }, { .name = "status" },
		{ .name = "remark" }, { .name = "description" } };

	l->metrics = share_metrics(f);
	if (!l->metrics)
		return -1;
	if (tree_open(&l->tree, tree_root(), f) < 0)
		return -1;
	l->render = render_open(stdout, opt_common.format, columns, COUNT(columns));
	int status = event_each(&l->tree, list_event, l, f);
	tree_close(&l->tree);
	metrics_free(l->metrics);
	return status;
}

static const struct {
	const char *name;
	int (*list)(struct listing *l, struct fault *f);
} kinds[] = {
	{ "events", list_events },
};

int main(int argc, char **argv)
{
	int first = opt_parse(&program, argc, argv);
	struct listing l = { 0 };
	struct fault f;

	if (first == argc)
		opt_usage_error(&program, "say what to list: events");
	for (size_t i = 0; i < COUNT(kinds); i++) {
		if (strcmp(argv[first], kinds[i].name) != 0)
			continue;
		l.glob = argv + first + 1;
		l.globs = argc - first - 1;
		if (kinds[i].list(&l, &f) < 0)
			errx(STATUS_TROUBLE, "%s", f.text);
		if (render_close(l.render) < 0)
			return stdout_failed();
		return stdout_close(l.listed ? STATUS_FINE : STATUS_NO);
	}
	opt_usage_error(
	    &program, "'%s' is nothing that can be listed: events", argv[first]);
}
