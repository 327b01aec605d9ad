/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines about one subject: its name, the median of its metric, the range with a
 * histogram, other metrics, and findings. Pure.
 */
#ifndef BRIEF_BRIEF_BLOCK_H
#define BRIEF_BRIEF_BLOCK_H

#include "brief/brief.h"
#include "brief/brief_subjects.h"

struct diagnosis;

/* Appends the lines. findings: those of the heads of the subjects. */
void brief_put_block(struct buf *b, const struct brief_subjects *s,
    const struct brief_subject *of, struct collect *collect,
    const struct diagnosis *findings, const struct brief_opts *opts);

#endif
