/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads histories; see history_input.h.
 */
#include "history/history_input.h"

static int on_history_row(void *ctx, const struct row *row, struct fault *f)
{
	(void)f;
	return history_row(((struct history_input *)ctx)->history, row);
}

int history_input_read(struct history_input *in, const struct history_opts *opts,
    const struct stream_options *rows, bool accept_cut, char *const *path, size_t files,
    struct fault *f)
{
	static const struct bench_csv_sink sink = { .row = on_history_row };
	struct history_opts with = *opts;

	*in = (struct history_input){ .stream = bench_csv_open(&sink, in) };
	with.facts = bench_csv_facts(in->stream);
	if (!accept_cut) {
		bench_csv_watch_ends(in->stream, &in->ends);
		with.ends = &in->ends;
	}
	in->history = history_open(bench_csv_schema(in->stream), &with);
	in->metrics = metrics_open(f);
	if (!in->metrics || stream_options_apply(rows, in->stream, f) < 0 ||
	    bench_csv_read_all(in->stream, path, files, f) < 0)
		return -1;
	if (!bench_csv_has_rows(in->stream))
		return fault_set(
		    f, "no table of measurements in the input (bench-run writes one)");
	run_ends_finish(&in->ends);
	return stream_options_check(rows, f) < 0 ||
	               history_finish(in->history, in->metrics, f) < 0
	           ? -1
	           : 0;
}

void history_input_close(struct history_input *in)
{
	history_close(in->history);
	bench_csv_close(in->stream);
	run_ends_free(&in->ends);
	metrics_free(in->metrics);
}
