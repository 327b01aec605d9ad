/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-list; see bench_list.h.
 */
#include <stdlib.h>

#include "bench_list.h"
#include "catalog/list_kinds.h"
#include "subject/sweep.h"

static struct bench_list_opts o = { .seed = 1 };

static const struct opt opts[] = {
	OPT_HEADING("Choosing what to list"),
	OPT('a', "all", &o.all, NULL,
	    "list all exported functions, and events that cannot be counted"),
	OPT('P', "param", &o.params, "NAME=VALUE",
	    "compute the sizes of kernels and models for this value (repeatable)"),
	OPT_HEADING("Generating benchmarks"),
	OPT(0, "generate", &o.generate, "FILE.c",
	    "write benchmarks for the functions of shared objects"),
	OPT('o', "output", &o.directory, "DIR",
	    "with --generate: directory for FILE.c (current directory)"),
	OPT_HEADING("Exporting to ONNX"),
	OPT(0, "export", &o.export, "FILE.onnx",
	    "write a model or kernel to an ONNX file, with -P as its parameters"),
	OPT('M', "model", &o.model, "MODEL", "with --export: name or file of the model"),
	OPT('k', "kernel", &o.kernel, "KERNEL", "with --export: name of the kernel"),
	OPT(0, "step", &o.step, NULL,
	    "with --export: write the step that generates a token, not the prompt"),
	OPT(0, "seed", &o.seed, "N", "with --export: seed of the weights (1)"),
	OPT(0, "external-data", &o.external, NULL,
	    "with --export: write the weights to FILE.onnx.data, even if they are small"),
	OPT_END,
};

static const struct opt_rule rules[] = {
	{ "-o", OPT_REQUIRES, "--generate", NULL },
	{ "-M -k --step --seed --external-data", OPT_REQUIRES, "--export", NULL },
	OPT_RULES_END,
};

static const char *const synopsis[] = {
	"[-a] [--csv | --table | --json] [functions|commands[,...]] file|directory|glob...",
	"[-a] [--csv | --table | --json] events [glob...]",
	"[--csv | --table | --json] [-P NAME=VALUE] kernels|models|backends|devices[,...] "
	"[glob...]",
	"--generate FILE.c [-o DIR] object...",
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

const struct opt_program bench_list = {
	.name = "bench-list",
	.synopsis = synopsis,
	.summary =
	    "List what can be measured: functions and commands in files, events, kernels, "
	    "models, and their devices.",
	.words = verbs,
	.words_title = "Verbs (without one: functions and commands)",
	.opts = opts,
	.rules = rules,
	.verbose = "also report each skipped file in a directory",
	.flags = OPT_FORMATS | OPT_PAGER,
};

/* Reads the names and values of -P. */
static struct binding *read_params(void)
{
	struct binding *param = mem_zero(o.params.count + 1, sizeof(*param));
	struct fault f;

	for (size_t i = 0; i < o.params.count; i++)
		if (label_parse(o.params.item[i], &param[i], &f) < 0)
			opt_usage_error(&bench_list, "-P: %s", f.text);
	return param;
}

static void check_generate(const struct bench_list_plan *plan)
{
	if (!plan->operands)
		opt_usage_error(&bench_list, "--generate: name the shared objects");
}

static void check_export(const struct bench_list_plan *plan)
{
	if (plan->operands || !o.model == !o.kernel)
		opt_usage_error(&bench_list,
		    "--export takes one model (-M) or kernel (-k)%s",
		    plan->operands ? ", and no operand" : "");
}

/* Ends the program if kinds of a group, whose table has columns of its own, are chosen
 * together with other kinds. */
static void check_kinds_alone(unsigned chosen, unsigned group, const char *names)
{
	if (chosen & group && chosen & ~group)
		opt_usage_error(&bench_list,
		    "%s cannot be combined with other verbs: list them separately", names);
}

/* Takes the kinds from the first operand; without kinds, the operands are files. */
static void read_kinds(struct bench_list_plan *plan)
{
	const unsigned kinds = plan->operands ? list_kinds_parse(plan->operand[0]) : 0;
	struct fault f;

	check_kinds_alone(kinds, LIST_EVENTS, "events");
	check_kinds_alone(kinds, LIST_IN_FILES, "functions and commands");
	if (o.params.count && !(kinds & (LIST_KERNELS | LIST_MODELS)))
		opt_usage_error(&bench_list, "-P applies only to kernels and models");
	plan->kinds = kinds ? kinds : LIST_IN_FILES;
	plan->operand += kinds != 0;
	plan->operands -= kinds != 0;
	if (plan->kinds & LIST_IN_FILES && !plan->operands)
		opt_usage_error(&bench_list,
		    "name what to list: events, kernels, models, backends, devices, or "
		    "files and directories with benchmarks (. for this directory)");
	if (!kinds && list_kinds_check_file(plan->operand[0], &f) < 0)
		opt_usage_error(&bench_list, "%s", f.text);
}

const struct bench_list_opts *bench_list_opts_read(
    int argc, char **argv, struct bench_list_plan *plan)
{
	int first = opt_parse(&bench_list, argc, argv);

	plan->operand = argv + first;
	plan->operands = (size_t)(argc - first);
	if (o.generate)
		check_generate(plan);
	else if (o.export)
		check_export(plan);
	else
		read_kinds(plan);
	if (!o.generate)
		plan->param = read_params();
	return &o;
}

void bench_list_opts_free(struct bench_list_plan *plan)
{
	for (size_t i = 0; plan->param && i < o.params.count; i++)
		free((char *)plan->param[i].name);
	free(plan->param);
}
