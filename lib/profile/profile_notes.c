/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes how a profile was taken; see profile_notes.h.
 */
#include "profile/profile_notes.h"
#include "text/plural.h"
#include "text/units.h"

void profile_notes_event(struct buf *out, const struct profile_command_opts *opts,
    const struct profile_command_result *done, bool any_event)
{
	const struct counter *first = &opts->events->counter[0],
	                     *taken = &opts->events->counter[done->event];

	if (any_event && taken != first)
		buf_printf(out,
		    "%s: not available on this machine; sampling by %s instead\n",
		    first->name, taken->name);
	if (done->frequency_hz < opts->frequency_hz)
		buf_printf(out,
		    "sampling at %.0f Hz, the limit of the kernel "
		    "(/proc/sys/kernel/perf_event_max_sample_rate)\n",
		    done->frequency_hz);
	if (taken->user_only)
		buf_str(out,
		    "sampling in user mode only (kernel.perf_event_paranoid denies the "
		    "kernel's part; see bench-env --check)\n");
}

static void note_heap_losses(struct buf *out, const struct profile *p)
{
	if (p->lost)
		buf_printf(out,
		    "%llu allocation%s not counted: there are too many stacks, or $TMPDIR "
		    "has no space for them\n",
		    (unsigned long long)p->lost, plural(p->lost, " was", "s were"));
	if (p->unrecorded)
		buf_printf(out,
		    "the allocations of %llu program%s were not counted: $TMPDIR has no "
		    "space, or a limit of memory or of the size of files is too small\n",
		    (unsigned long long)p->unrecorded, plural_s(p->unrecorded));
	else if (!p->samples)
		buf_str(out,
		    "no allocations: the command made none, is a static or set-user-ID "
		    "program, or cleared its environment\n");
}

static void note_sampling_losses(struct buf *out, const struct profile *p)
{
	if (p->lost)
		buf_printf(out,
		    "%llu record%s lost because samples came faster than they could be "
		    "read (lower -F, or raise /proc/sys/kernel/perf_event_mlock_kb)\n",
		    (unsigned long long)p->lost, plural(p->lost, " was", "s were"));
	if (p->throttled)
		buf_printf(out,
		    "the kernel throttled sampling %llu time%s "
		    "(/proc/sys/kernel/perf_event_max_sample_rate)\n",
		    (unsigned long long)p->throttled, plural_s(p->throttled));
	if (!p->samples)
		buf_str(out,
		    "no samples: the command ran for less than one period of -F, or used "
		    "no processor time (--wait shows where it waits)\n");
}

static void note_wait_losses(struct buf *out, const struct profile *p)
{
	double blocked = stacks_sum(&p->stacks, WAIT_BLOCKED),
	       preempted = stacks_sum(&p->stacks, WAIT_PREEMPTED);
	char text[64];

	if (p->lost)
		buf_printf(out,
		    "%llu record%s lost because context switches came faster than they "
		    "could be read: waits are missing (use -g fp, reduce the load of the "
		    "machine, or raise /proc/sys/kernel/perf_event_mlock_kb)\n",
		    (unsigned long long)p->lost, plural(p->lost, " was", "s were"));
	if (blocked == 0 && !p->lost)
		buf_str(out, "no waits: no thread was blocked\n");
	if (preempted > 0.01 * (blocked + preempted)) {
		units_print(text, sizeof(text), preempted, "ns");
		buf_printf(out,
		    "threads that were ready to run waited %s for a processor: not "
		    "counted as blocked (--by preempted shows it)\n",
		    text);
	}
}

void profile_notes_losses(
    struct buf *out, const struct profile *p, enum profile_kind_id kind)
{
	static void (*const note[PROFILE_KINDS])(
	    struct buf * out, const struct profile *p) = {
		[PROFILE_OF_TIME] = note_sampling_losses,
		[PROFILE_OF_HEAP] = note_heap_losses,
		[PROFILE_OF_WAITS] = note_wait_losses,
	};

	note[kind](out, p);
}
