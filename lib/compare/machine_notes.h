/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes on the machines of the sides, if these may be the reason for a difference, or may
 * hide one.
 */
#ifndef COMPARE_MACHINE_NOTES_H
#define COMPARE_MACHINE_NOTES_H

#include "compare/compare.h"

/* Appends a line for each side whose host or env differs from that of the old side, unless
 * by, the column of the sides or NULL, is that column. Also appends a line if the values of
 * several hosts are compared together. */
void machine_notes(const struct compare *c, const char *by, struct buf *lines);

#endif
