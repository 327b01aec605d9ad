/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that the readers of other programs' files share.
 */
#ifndef CONVERT_FROM_H
#define CONVERT_FROM_H

#include "convert/convert.h"
#include "record/provenance.h"

/* Removes the next line from rest and sets line to it, without its end ("\n" or "\r\n").
 * Returns false at the end of the text. */
bool line_next(struct text *rest, struct text *line);
/* Removes the text before the next such byte, and the byte, from rest. Returns that text,
 * or all of rest if it has no such byte. */
struct text text_until(struct text *rest, char byte);
/* Removes the next word from a line and returns it; empty at the end of the line. */
struct text line_word(struct text *line);

/* Returns a number of the document scaled by a power of ten; NAN if it is not a number. */
double from_number(const struct json_t *v, int exponent);
/* Returns a whole number of at least 0, or ROW_NONE. */
int64_t from_count(const struct json_t *v);
/* Returns the text of a member, or "" if it is not a string. */
struct text from_text(const struct json_t *object, const char *name);
/* Returns a string, or the text of a number or boolean; empty for any other value. */
struct text from_scalar(struct arena *texts, const struct json_t *v);
/* Sets a factor to a string, number or boolean; ignores any other value. */
void from_factor(struct row_builder *out, struct text name, const struct json_t *v);
/* Sets a factor for each member of an object. */
void from_factors(struct row_builder *out, const struct json_t *object);
/*
 * Adds a row for a statistic that the other program computed, with a metric such as
 * "wall_sd". Adds none if the value is not finite.
 */
int from_statistic(struct row_builder *out, const char *metric, const char *name,
    struct text unit, double value, struct fault *f);
/* Writes the time of a string, with a T or a blank after the date, in the form of
 * bench-csv(5). Returns its length; 0 if the string has no time. */
size_t from_time_text(char out[PROVENANCE_TIME_MAX], struct text t);
/*
 * Sets the column time from a string in any time zone, converted to the UTC of
 * bench-csv(5). A string without a zone is taken as UTC. A string that is not a time is
 * ignored.
 */
void from_time(struct row_builder *out, struct text t);
/*
 * Reads a JSON file next to the source; name is relative to its directory. Returns the
 * document, which the caller frees with doc_free, or NULL if there is no such file. A file
 * that cannot be read is also NULL, and a note for the user.
 */
struct json_t *from_beside(
    const struct source *s, struct row_builder *out, const char *name);
/* Returns milliseconds since 1970 as a time of bench-csv(5), or "" if v is not a number. */
struct text from_time_ms(struct row_builder *out, const struct json_t *v);

extern const struct format format_ab, format_ab_csv, format_ab_gnuplot, format_asv,
    format_bencher, format_cachegrind, format_callgrind, format_catch2, format_criterion,
    format_criterion_console, format_criterion_csv, format_csv, format_folded,
    format_gbench, format_gbench_console, format_gcc_time, format_github_bigger,
    format_github_history, format_github_history_json, format_github_smaller, format_go,
    format_go_json, format_hgrm, format_hpcg, format_hpl, format_hyperfine,
    format_hyperfine_csv, format_iostat, format_json, format_json_lines, format_libtest,
    format_likwid_bench, format_llama, format_llama_csv, format_llama_lines,
    format_llama_sql, format_llama_table, format_loadgen, format_massif, format_memray_csv,
    format_nccl_tests, format_nccl_tests_console, format_ninja_log, format_nvbench,
    format_onnxruntime, format_osu, format_perf, format_perf_bench, format_perf_console,
    format_perf_json, format_perf_script, format_pgbench, format_pgbench_log, format_pprof,
    format_pyperf, format_pytest, format_pytorch, format_sadf, format_sglang,
    format_sockperf, format_stream, format_stress_ng, format_stress_ng_yaml,
    format_sysbench, format_sysstat, format_sysstat_text, format_table, format_time,
    format_vllm, format_vmstat, format_wrk;

#endif
