/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declarations that the writers of other programs' formats share.
 */
#ifndef CONVERT_TO_H
#define CONVERT_TO_H

#include "convert/convert.h"
#include "record/subject_samples.h"
#include "record/subject_values.h"

/* Where a long text goes before it is complete. */
struct text_sink {
	FILE *out;
	int error; /* that of the first write that failed, or 0 */
};
/* Writes a long text except its last byte, by which writers know what was before. sink may
 * be NULL. A writer calls it after an entry, when it can no longer fail. */
void text_sink_take(struct text_sink *sink, struct buf *text);
/* Writes the rest. Returns 0, or -1 and the message "standard output", with errno set. */
int text_sink_close(struct text_sink *sink, struct buf *text, struct fault *f);

/* Appends the factors of a group that have values as the members of an object, without its
 * braces. With `numbers`, a value that is the shortest text of a number becomes one; any
 * other is a string. */
void put_factors(const struct groups *groups, size_t group, bool numbers, struct buf *out);
/* Appends the JSON of hyperfine. Returns 0, or -1 and the message. */
int write_hyperfine(const struct subject_values *t, struct buf *out, struct fault *f);
/* Appends the JSON of Google Benchmark. Returns 0, or -1 and the message. */
int write_gbench(const struct subject_values *t, struct buf *out, struct fault *f);
/* Appends the JSON of github-action-benchmark with the metrics that are better if they are
 * smaller, or bigger. Returns 0, or -1 and the message. */
int write_github_smaller(const struct subject_values *t, struct buf *out, struct fault *f);
int write_github_bigger(const struct subject_values *t, struct buf *out, struct fault *f);
/* Appends the Bencher Metric Format. Returns 0. */
int write_bencher(const struct subject_values *t, struct buf *out, struct fault *f);
/* Appends the JSON of pytest-benchmark. Returns 0, or -1 and the message. */
int write_pytest(struct subject_samples *t, struct buf *out, struct fault *f);
/* Begins the names of metadata of pyperf that are factors. */
#define PYPERF_FACTOR "factor_"
/* Appends the JSON of pyperf. Returns 0, or -1 and the message. */
int write_pyperf(struct subject_samples *t, struct buf *out, struct fault *f);
/* Appends a result file of airspeed velocity. Returns 0, or -1 and the message. */
int write_asv(struct subject_samples *t, struct buf *out, struct fault *f);

extern const struct row_writer csv_writer, json_writer, json_lines_writer, go_writer,
    folded_writer;
extern const struct format format_prometheus, format_markdown, format_asciidoc, format_org,
    format_asv_benchmarks, format_openmetrics, format_otlp;

#endif
