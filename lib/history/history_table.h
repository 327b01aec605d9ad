/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of bench-compare --history: a row a change point with its subject and host.
 */
#ifndef HISTORY_HISTORY_TABLE_H
#define HISTORY_HISTORY_TABLE_H

#include <stdio.h>

#include "history/history.h"
#include "io/render.h"

/* Print the changes in the range asked for. 0, or -1 when writing failed (errno). */
int history_print(const struct history *h, FILE *out, enum render_format format);
/* The subject's columns and then host, metric and unit. Returns how many; *ids is
 * allocated. */
size_t history_columns(const struct history *h, size_t **ids);

/* A table with these columns and, behind them, others of the caller's. */
struct render *history_render(const struct history *h, const struct render_column *fields,
    size_t count, FILE *out, enum render_format format);

#endif
