/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-list: lists what can be measured on this machine. Each kind is a row of kinds[];
 * functions and commands share one output table.
 */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/standard_files.h"
#include "catalog/list_compute.h"
#include "catalog/list_events.h"
#include "catalog/list_files.h"
#include "discover/benchmark_lines.h"
#include "discover/benchmarks.h"
#include "discover/codegen.h"
#include "discover/discover.h"
#include "engine/list_export.h"
#include "io/message.h"
#include "io/opt.h"
#include "io/render.h"
#include "subject/subject.h"
#include "sys/bus_error.h"
#include "sys/leftover.h"
#include "text/near_name.h"

static struct {
	bool all;
	struct opt_list params;
	const char *generate, *directory;
	const char *export, *model, *kernel;
	uint64_t seed; /* the default is that of bench-run */
	bool step, external, seed_set;
} o = { .seed = 1 };

static const struct opt opts[] = {
	OPT_HEADING("Choosing what to list"),
	OPT('a', "all", &o.all, NULL,
	    "list all exported functions, and events that cannot be counted"),
	OPT('P', "param", &o.params, "NAME=VALUE",
	    "compute the sizes of kernels and models for this value (repeatable)"),
	OPT_HEADING("Generating benchmarks"),
	OPT(0, "generate", &o.generate, "FILE.c",
	    "write benchmarks for the functions of a shared object"),
	OPT('o', "output", &o.directory, "DIR",
	    "with --generate: directory for FILE.c (current directory)"),
	OPT_HEADING("Exporting to ONNX"),
	OPT(0, "export", &o.export, "FILE.onnx",
	    "write a model or kernel to an ONNX file, with -P as its parameters"),
	OPT('M', "model", &o.model, "MODEL", "with --export: name or file of the model"),
	OPT('k', "kernel", &o.kernel, "KERNEL", "with --export: name of the kernel"),
	OPT(0, "step", &o.step, NULL,
	    "with --export: write the step that generates a token, not the prompt"),
	OPT_SEEN(
	    0, "seed", &o.seed, "N", "with --export: seed of the weights (1)", &o.seed_set),
	OPT(0, "external-data", &o.external, NULL,
	    "with --export: write the weights to FILE.onnx.data, even if they are small"),
	OPT_END,
};

static const char *const synopsis[] = {
	"[-a] [--csv | --table | --json] [functions|commands[,...]] file|directory|glob...",
	"[-a] [--csv | --table | --json] events [glob...]",
	"[--csv | --table | --json] [-P NAME=VALUE] kernels|models|backends|devices[,...] "
	"[glob...]",
	"--generate FILE.c [-o DIR] object",
	"--export FILE.onnx -M MODEL|-k KERNEL [-P NAME=VALUE] [--step] [--seed N] "
	"[--external-data]",
	NULL,
};

static const struct opt_word verbs[] = {
	{ "functions", "benchmarks in shared objects" },
	{ "commands", "executable files whose names begin with benchmark_, run_ or bench_" },
	{ "events", "what bench-run -e and -E count" },
	{ "kernels", "what bench-run -k measures" },
	{ "models", "what bench-run -M measures, and the inputs of ONNX files" },
	{ "backends", "what kernels and models run on, for bench-run -b" },
	{ "devices", "the processors, GPUs and others of the backends" },
	{ NULL, NULL },
};

static const struct opt_program program = {
	.name = "bench-list",
	.synopsis = synopsis,
	.summary =
	    "List what can be measured: functions and commands in files, events, kernels, "
	    "models, and their devices.",
	.words = verbs,
	.words_title = "Verbs (without one: functions and commands)",
	.opts = opts,
	.verbose = "also report each skipped file in a directory",
	.flags = OPT_FORMATS | OPT_PAGER,
};

enum {
	KIND_FUNCTIONS = 1,
	KIND_COMMANDS = 2,
	KIND_EVENTS = 4,
	KIND_BACKENDS = 8,
	KIND_DEVICES = 16,
	KIND_KERNELS = 32,
	KIND_MODELS = 64,
	KINDS_IN_FILES = KIND_FUNCTIONS | KIND_COMMANDS
};

/* The kinds. Those that print their own tables print them in this order. */
static const struct {
	const char *name;
	unsigned kind;
	long (*print)(const struct list_request *r, struct fault *f); /* or NULL */
} kinds[] = {
	{ "functions", KIND_FUNCTIONS, NULL },
	{ "commands", KIND_COMMANDS, NULL },
	{ "events", KIND_EVENTS, list_events },
	{ "backends", KIND_BACKENDS, list_compute_backends },
	{ "devices", KIND_DEVICES, list_compute_devices },
	{ "kernels", KIND_KERNELS, list_compute_kernels },
	{ "models", KIND_MODELS, list_compute_models },
};

struct listing {
	struct render *render;
	unsigned kinds;
	char *const *operand;
	int operands;
	size_t listed;
	bool troubled;
	bool told; /* a file that was skipped */
};

static void on_trouble(void *ctx, const char *message)
{
	struct listing *l = ctx;

	message_warn("%s", message);
	l->troubled = l->told = true;
}

/* Reports a skipped file. Most files in directories are no benchmarks: -v reports them. */
static void on_other(void *ctx, const char *path, const char *why, bool named)
{
	struct listing *l = ctx;
	struct fault f;

	if (named && fnmatch("*.onnx", path, 0) == 0)
		why = "a model, not an object or a command (use bench-list models FILE)";
	if (opt_common.verbose || (named && !opt_common.quiet)) {
		fault_set(&f, "%s: %s", path, why);
		message_warn("%s", f.text);
		l->told |= named;
	}
}

static void on_object(void *ctx, const char *path, const char *glob, bool named)
{
	struct listing *l = ctx;
	struct benchmarks found;
	struct fault f;
	size_t before = l->listed;

	if (!(l->kinds & KIND_FUNCTIONS)) {
		on_other(l, path, "not a command", named);
		return;
	}
	if (benchmarks_read(path, o.all, &found, &f) < 0) {
		on_trouble(l, f.text);
		return;
	}
	benchmarks_find_lines(&found, path);
	for (size_t i = 0; i < found.count; i++)
		if (benchmark_matches(&found.item[i], glob)) {
			list_files_function(
			    l->render, path, found.build_id, &found.item[i]);
			l->listed++;
		}
	benchmarks_free(&found);
	if (l->listed > before)
		return;
	on_other(l, path,
	    glob    ? "no benchmark matches the pattern"
	    : o.all ? "exports no function"
	            : "exports no function named benchmark_* or run_* "
	              "(-a lists all functions)",
	    named);
}

static void on_command(void *ctx, const char *path, bool named)
{
	struct listing *l = ctx;

	if (!(l->kinds & KIND_COMMANDS)) {
		on_other(l, path, "a command, not an object with functions", named);
		return;
	}
	list_files_command(l->render, path);
	l->listed++;
}

/* Lists functions and commands. Returns the exit status. */
static int list_subjects(struct listing *l)
{
	const struct discover_sink sink = { .object = on_object,
		.command = on_command,
		.other = on_other,
		.trouble = on_trouble,
		.ctx = l };
	struct discover *d = discover_open(&sink);

	l->render = list_files_open(&opt_common.output);
	for (int i = 0; i < l->operands; i++)
		discover_operand(d, l->operand[i]);
	discover_close(d);
	if (render_close(l->render) < 0)
		return stdout_failed();
	if (!l->listed && !l->told && !opt_common.quiet)
		message_warn("no benchmark found%s",
		    opt_common.verbose ? "" : " (-v reports the skipped files)");
	return stdout_close(l->troubled ? STATUS_TROUBLE
	                    : l->listed ? STATUS_FINE
	                                : STATUS_NO);
}

/* Returns the names and values of -P. */
static struct binding *read_params(void)
{
	struct binding *param = mem_zero(o.params.count + 1, sizeof(*param));
	struct fault f;

	for (size_t i = 0; i < o.params.count; i++)
		if (label_parse(o.params.item[i], &param[i], &f) < 0)
			opt_usage_error(&program, "-P: %s", f.text);
	return param;
}

static void free_params(struct binding *param)
{
	for (size_t i = 0; i < o.params.count; i++)
		free((char *)param[i].name);
	free(param);
}

/* Reports patterns that match nothing. */
static void warn_no_match(char *const *glob, int globs, const char *advice)
{
	for (int i = 0; i < globs && !opt_common.quiet; i++)
		message_warn("no name matches '%s'%s", glob[i], advice);
}

/* Lists events, backends, devices, kernels and models. */
static int list_tables(unsigned wanted_kinds, char *const *glob, int globs)
{
	struct binding *param = read_params();
	struct known_names parameters = { .owns = true };
	bool unusable = false;
	struct list_request r = { .out = &opt_common.output,
		.all = o.all,
		.glob = glob,
		.globs = (size_t)globs,
		.param = param,
		.params = o.params.count,
		.unusable = &unusable,
		.parameters = &parameters };
	struct fault f;
	long listed = 0;

	for (size_t i = 0; i < COUNT(kinds); i++) {
		long rows = wanted_kinds & kinds[i].kind ? kinds[i].print(&r, &f) : 0;

		if (rows < 0)
			message_fail(STATUS_TROUBLE, "%s", f.text);
		listed += rows;
	}
	if (listed && list_request_check_params(&r, &f) < 0)
		opt_usage_error(&program, "%s", f.text);
	known_names_free(&parameters);
	free_params(param);
	if (!listed && !unusable && globs)
		warn_no_match(glob, globs,
		    wanted_kinds == KIND_EVENTS && !o.all
		        ? " among the events that can be counted (-a lists all)"
		        : "");
	return stdout_close(listed ? STATUS_FINE : STATUS_NO);
}

static unsigned kind_of(struct text name)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (text_is(name, kinds[i].name))
			return kinds[i].kind;
	return 0;
}

/* Returns the kinds in an operand such as "functions,commands"; 0 for any other operand. */
static unsigned kinds_of(const char *operand)
{
	unsigned all = 0;

	for (const char *p = operand;; p++) {
		struct text name = { p, strcspn(p, ",") };
		unsigned kind = kind_of(name);

		if (!kind)
			return 0;
		all |= kind;
		p += name.len;
		if (!*p)
			return all;
	}
}

/* Rejects an operand that is no file, and nearly the name of a kind. */
static void check_kind(const char *operand)
{
	struct known_names known = { 0 };
	size_t near[NEAR_NAMES_MOST];
	struct fault f;

	known_names_add_all(&known, kinds, sizeof(*kinds), COUNT(kinds));
	for (const char *p = operand; access(operand, F_OK) != 0 && *p; p += *p == ',') {
		struct text name = { p, strcspn(p, ",") };

		if (!kind_of(name) && near_names(name, &known, near)) {
			unknown_name(&f, "no file and no verb is called", name, &known);
			opt_usage_error(&program, "%s", f.text);
		}
		p += name.len;
	}
	known_names_free(&known);
}

/* Runs --generate. The skipped functions are listed on standard error and in the file. */
static int generate(const char *object)
{
	struct codegen result;
	struct fault f;
	int status =
	    codegen_file(object, o.directory ? o.directory : ".", o.generate, &result, &f);

	for (size_t i = 0; status >= 0 && !opt_common.quiet && i < result.skipped_count;
	     i++)
		message_warn("%s: no benchmark generated: %s", result.skipped[i].name,
		    result.skipped[i].why);
	if (status != 0)
		message_warn("%s", f.text);
	else if (!opt_common.quiet)
		message_warn("%s: %zu benchmark%s generated, %zu function%s skipped",
		    result.path, result.benchmarks, result.benchmarks == 1 ? "" : "s",
		    result.skipped_count, result.skipped_count == 1 ? "" : "s");
	codegen_free(&result);
	return status < 0 ? STATUS_TROUBLE : status ? STATUS_NO : STATUS_FINE;
}

/* Runs --export. */
static int export_list(int operands)
{
	struct list_export_opts list = { .name = o.model ? o.model : o.kernel,
		.kernel = !o.model,
		.phase = o.step ? MODEL_STEP : MODEL_FORWARD,
		.params = o.params.count,
		.seed = o.seed,
		.external = o.external };
	struct binding *param;
	struct fault f;
	int status;

	if (operands || !o.model == !o.kernel)
		opt_usage_error(&program, "--export takes one model (-M) or kernel (-k)%s",
		    operands ? ", and no operand" : "");
	list.param = param = read_params();
	status = list_export(&list, o.export, &f);
	if (status < 0)
		message_warn("%s", f.text);
	free_params(param);
	return stdout_close(status < 0 ? STATUS_TROUBLE : STATUS_FINE);
}

/* Ends the program in a signal handler. */
static void report_shortened(const char *path)
{
	message_warn("%s: " BUS_ERROR_TEXT, path);
	leftover_remove();
	_exit(STATUS_TROUBLE);
}

/* Rejects kinds of a group, whose table has columns of its own, together with other kinds.
 */
static void check_kinds_alone(unsigned chosen, unsigned group, const char *names)
{
	if (chosen & group && chosen & ~group)
		opt_usage_error(&program,
		    "%s cannot be combined with other verbs: list them separately", names);
}

int main(int argc, char **argv)
{
	standard_files_open();
	bus_errors_handle(report_shortened);

	int first = opt_parse(&program, argc, argv);
	struct listing l = { .kinds = first < argc ? kinds_of(argv[first]) : 0 };

	if (o.generate) {
		if (argc - first != 1)
			opt_usage_error(&program, "--generate takes one shared object");
		return generate(argv[first]);
	}
	if (o.directory)
		opt_usage_error(&program, "-o requires --generate");
	if (o.export)
		return export_list(argc - first);
	if (o.model || o.kernel || o.step || o.seed_set || o.external)
		opt_usage_error(&program,
		    "-M, -k, --step, --seed and --external-data require --export");
	first += l.kinds != 0;
	l.operand = argv + first;
	l.operands = argc - first;
	check_kinds_alone(l.kinds, KIND_EVENTS, "events");
	check_kinds_alone(l.kinds, KINDS_IN_FILES, "functions and commands");
	if (o.params.count && !(l.kinds & (KIND_KERNELS | KIND_MODELS)))
		opt_usage_error(&program, "-P applies only to kernels and models");
	if (l.kinds & ~(unsigned)KINDS_IN_FILES)
		return list_tables(l.kinds, l.operand, l.operands);
	if (!l.operands)
		opt_usage_error(&program,
		    "name what to list: events, kernels, models, backends, devices, or "
		    "files and directories with benchmarks (. for this directory)");
	if (!l.kinds) {
		l.kinds = KINDS_IN_FILES;
		check_kind(l.operand[0]);
	}
	return list_subjects(&l);
}
