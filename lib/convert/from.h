/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the readers of other programs' files share.
 */
#ifndef CONVERT_FROM_H
#define CONVERT_FROM_H

#include "convert/convert.h"

/* Takes the next line off a text, without its end ("\n" or "\r\n"). Returns false at the
 * end. */
bool line_next(struct text *rest, struct text *line);
/* What comes before the byte, which is taken off the rest as well; all of it without one.
 */
struct text text_until(struct text *rest, char byte);
struct text line_trim(struct text t);
bool text_begins(struct text t, const char *with);
bool text_ends(struct text t, const char *with);

/* Returns a number of the document scaled by a power of ten; NAN when it is none. */
double from_number(const struct json_t *v, int exponent);
/* Returns a whole number from 0 up, or ROW_NONE. */
int64_t from_count(const struct json_t *v);
/* What a member says as a text, "" when it is none. */
struct text from_text(const struct json_t *object, const char *name);
/* Makes a factor of a text, number or truth; anything else is passed over. */
void from_factor(struct row_builder *out, struct text name, const struct json_t *v);
/* Each member of an object becomes a factor. */
void from_factors(struct row_builder *out, const struct json_t *object);
/*
 * Puts a statistic that the peer computed, as a metric of its own, "wall_sd". A number that
 * is not there makes no row.
 */
int from_statistic(struct row_builder *out, const char *metric, const char *name,
    struct text unit, double value, struct fault *f);
/*
 * Sets the time to that of a text: as bench-csv(5) has it, in UTC, whatever zone it is in;
 * one without a zone is taken for UTC. What is no time is passed over.
 */
void from_time(struct row_builder *out, struct text t);
/* Milliseconds since 1970 as a time of bench-csv(5); "" when they are none. */
struct text from_time_ms(struct row_builder *out, const struct json_t *v);

extern const struct format format_criterion, format_csv, format_folded, format_gbench,
    format_go, format_hyperfine, format_json, format_llama, format_llama_csv, format_perf,
    format_perf_json, format_pyperf, format_pytest, format_asv;

#endif
