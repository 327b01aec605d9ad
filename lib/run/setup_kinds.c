/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks options that depend on the kinds of subjects; see setup_kinds.h.
 */
#include <string.h>

#include "run/setup_kinds.h"
#include "subject/option_scope.h"
#include "window/window.h"

bool run_wants_energy(const struct run_opts *o)
{
	bool energy = o->energy;

	for (size_t i = 0; i < o->sets.count; i++)
		energy = energy || strcmp(o->sets.item[i], "energy") == 0;
	return energy;
}

size_t setup_computes(const struct setup *s)
{
	return s->kinds[KIND_KERNEL] + s->kinds[KIND_MODEL];
}

/* Checks that options that only some kinds of subjects have are given for these alone. */
static int check_scopes(const struct setup *s, const struct run_opts *o, struct fault *f)
{
	const struct kind_option only[] = {
		{ "--extract", o->extracts.count > 0, OF_COMMANDS },
		{ "--energy-model", o->energy_model != NULL, OF_COMMANDS },
		{ "--gpu", o->gpu, OF_COMMANDS | OF_LISTS },
		{ "--prepare and --conclude", o->prepare.count || o->conclude.count,
		    OF_COMMANDS | OF_DURING },
		{ "--shell", o->shell, OF_COMMANDS | OF_DURING },
		{ "--threads", o->threads != NULL, OF_FUNCTIONS | OF_LISTS },
		{ "--allocs", o->allocs, OF_FUNCTIONS },
		{ "--check", o->check, OF_LISTS },
		{ "--ops", o->ops, OF_LISTS },
		{ "--no-peaks", o->no_peaks, OF_LISTS },
		{ "--batch-window", o->batch_window.set, OF_LISTS },
		{ "--rate max", load_plan_searches(o->rate), OF_FUNCTIONS | OF_LISTS },
		{ "--timeline", o->timeline != NULL, OF_LISTS },
		{ "--input", o->inputs.count > 0, OF_LISTS },
		{ "--engine-option", o->engine_options.count > 0, OF_LISTS },
		{ "--window", o->window.set, OF_WINDOWS },
		{ "--param", o->sweeps.count > 0, OF_EXECUTED },
		{ "--workers", o->workers != NULL, OF_STARTED },
		{ "--processes", o->processes_set, OF_STARTED },
		{ "--sample-time", o->sample_time.set, OF_STARTED },
		{ "--rate, --arrivals and --scenario", run_has_load(o), OF_STARTED },
		{ "--slo", o->slo != NULL, OF_STARTED },
		{ "--until", o->until != NULL, OF_STARTED },
		{ "--interval", o->interval.set, OF_STARTED },
		{ "--energy and -E energy", run_wants_energy(o), OF_STARTED | OF_MACHINE },
		{ "--energy-idle", o->energy_idle.set, OF_STARTED },
		{ "--carbon", o->carbon != NULL, OF_STARTED | OF_MACHINE },
		{ "--env-jitter", o->env_jitter, OF_EXECUTED },
		{ "--wait-idle", o->wait_idle != NULL, OF_EXECUTED },
		{ "--stdin", o->stdin_path != NULL, OF_EXECUTED },
		{ "--stdout", o->stdout_to != NULL, OF_EXECUTED },
		{ "--env", o->env.count > 0, OF_EXECUTED },
		{ "--cpu", o->cpu != NULL, OF_STARTED | OF_MACHINE },
		{ "--timeout", o->timeout.set, OF_EXECUTED },
		{ "--success", o->success != NULL, OF_EXECUTED },
	};

	return option_scope_check(only, COUNT(only), &s->selection.subjects, f);
}

/* Checks the options of measurements of the whole machine. */
static int check_machine(const struct setup *s, const struct run_opts *o, struct fault *f)
{
	if (!s->kinds[KIND_MACHINE])
		return 0;
	if (o->cpu && run_wants_energy(o))
		return fault_set(f,
		    "--energy with -a is that of the whole machine, and cannot "
		    "be combined with --cpu");
	if (o->confidence < 0.5)
		return fault_set(f, "-C is the confidence, and should be at least 50%%; to "
		                    "measure some processors of the machine, use --cpu");
	if (!s->commands && o->precision.set && o->window.ns < window_least_ns())
		return fault_set(f,
		    "-p with -a requires a --window of at least %g ms, because processor "
		    "times are counted in ticks",
		    window_least_ns() / 1e6);
	return 0;
}

int setup_check_kinds(const struct setup *s, const struct run_opts *o, struct fault *f)
{
	if (check_scopes(s, o, f) < 0)
		return -1;
	if (o->threads && setup_computes(s) && (s->kinds[KIND_FUNCTION] || o->workers))
		return fault_set(f, "--threads of kernels and models cannot be combined "
		                    "with functions or --workers");
	if (o->aa && o->order && strcmp(o->order, "sequential") == 0)
		return fault_set(f, "--aa measures alternately and cannot be combined with "
		                    "--order sequential");
	if (!o->processes)
		return fault_set(f, "--processes must be at least 1");
	return check_machine(s, o, f);
}
