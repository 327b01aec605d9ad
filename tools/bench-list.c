/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-list: lists what can be measured on this machine, in the tables of lib/catalog;
 * generates benchmarks, and exports models.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/standard_files.h"
#include "catalog/list_files.h"
#include "catalog/list_kinds.h"
#include "discover/codegen.h"
#include "engine/list_export.h"
#include "io/message.h"
#include "options/bench_list.h"
#include "sys/bus_error.h"
#include "sys/leftover.h"
#include "text/plural.h"

static const struct bench_list_opts *o;
static struct bench_list_plan plan;

static void report_file(const char *message)
{
	message_warn("%s", message);
}

/* Lists functions and commands. Returns the exit status. */
static int list_benchmarks(void)
{
	const struct list_files_opts opts = { .out = &opt_common.output,
		.functions = plan.kinds & LIST_FUNCTIONS,
		.commands = plan.kinds & LIST_COMMANDS,
		.all = o->all,
		.verbose = opt_common.verbose,
		.quiet = opt_common.quiet,
		.report = report_file };
	struct list_files_result result;

	if (list_files(&opts, plan.operand, plan.operands, &result) < 0)
		return stdout_failed();
	if (!result.rows && !result.reported && !opt_common.quiet)
		message_warn("no benchmark found%s",
		    opt_common.verbose ? "" : " (-v reports the skipped files)");
	return stdout_close(result.unreadable ? STATUS_TROUBLE
	                    : result.rows     ? STATUS_FINE
	                                      : STATUS_NO);
}

/* Reports patterns that match nothing. */
static void warn_no_match(void)
{
	const char *advice = plan.kinds == LIST_EVENTS && !o->all
	                         ? " among the events that can be counted (-a lists all)"
	                         : "";

	for (size_t i = 0; i < plan.operands && !opt_common.quiet; i++)
		message_warn("no name matches '%s'%s", plan.operand[i],
		    list_kinds_parse(plan.operand[i])
		        ? "; separate verbs by commas, as in backends,devices"
		        : advice);
}

/* Lists events, backends, devices, kernels and models. Returns the exit status. */
static int list_tables(void)
{
	struct known_names parameters = { .owns = true };
	bool unusable = false;
	const struct list_request request = { .out = &opt_common.output,
		.all = o->all,
		.glob = plan.operand,
		.globs = plan.operands,
		.param = plan.param,
		.params = o->params.count,
		.unusable = &unusable,
		.parameters = &parameters };
	struct fault f;
	long rows = list_kinds_print(plan.kinds, &request, &f);

	if (rows < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	if (rows && list_request_check_params(&request, &f) < 0)
		opt_usage_error(&bench_list, "%s", f.text);
	known_names_free(&parameters);
	if (!rows && !unusable)
		warn_no_match();
	return stdout_close(rows ? STATUS_FINE : STATUS_NO);
}

/* Runs --generate. The skipped functions are listed on standard error and in the file. */
static int generate(void)
{
	struct codegen result;
	struct fault f;
	int status = codegen_file(plan.operand, plan.operands,
	    o->directory ? o->directory : ".", o->generate, &result, &f);

	for (size_t i = 0; status >= 0 && !opt_common.quiet && i < result.skipped_count;
	     i++)
		message_warn("%s: no benchmark generated: %s", result.skipped[i].name,
		    result.skipped[i].why);
	if (status != 0)
		message_warn("%s", f.text);
	else if (!opt_common.quiet)
		message_warn("%s: %zu benchmark%s generated, %zu function%s skipped",
		    result.path, result.benchmarks, plural_s(result.benchmarks),
		    result.skipped_count, plural_s(result.skipped_count));
	codegen_free(&result);
	return status < 0 ? STATUS_TROUBLE : status ? STATUS_NO : STATUS_FINE;
}

/* Runs --export. */
static int export_list(void)
{
	const struct list_export_opts list = { .name = o->model ? o->model : o->kernel,
		.kernel = !o->model,
		.phase = o->step ? MODEL_STEP : MODEL_FORWARD,
		.param = plan.param,
		.params = o->params.count,
		.seed = o->seed,
		.external = o->external };
	struct fault f;
	int status = list_export(&list, o->export, &f);

	if (status < 0)
		message_warn("%s", f.text);
	return stdout_close(status < 0 ? STATUS_TROUBLE : STATUS_FINE);
}

/* Ends the program in a signal handler. */
static void report_shortened(const char *path)
{
	message_warn("%s: " BUS_ERROR_TEXT, path);
	leftover_remove();
	_exit(STATUS_TROUBLE);
}

int main(int argc, char **argv)
{
	standard_files_open();
	bus_errors_handle(report_shortened);

	int status;

	o = bench_list_opts_read(argc, argv, &plan);
	status = o->generate                  ? generate()
	         : o->export                  ? export_list()
	         : plan.kinds & LIST_IN_FILES ? list_benchmarks()
	                                      : list_tables();
	bench_list_opts_free(&plan);
	return status;
}
