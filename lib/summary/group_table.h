/*
 * Tables that have a row or several for each group: the group's key, metric and unit, then
 * columns of the table's own.
 */
#ifndef KEYED_H
#define KEYED_H

#include <stdio.h>

#include "record/group.h"
#include "io/render.h"

struct keyed;
/*
 * The columns are those behind the key. People are spared the unit, which stands beside the
 * values, and unless all_keys what never varies of kind and provenance.
 */
struct keyed *keyed_open(const struct groups *g, FILE *out, enum render_format format,
    bool all_keys, const struct render_column *columns, size_t count);
/* The cells of the columns; a unit of keyed_unit stands for the group's unit. */
void keyed_row(struct keyed *k, size_t group, const struct cell *cells);
extern const char keyed_unit[];
/* Ends the output, frees. 0, or -1 when writing failed (errno set). */
int keyed_close(struct keyed *k);

#endif
