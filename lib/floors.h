/*
 * Noise floors: how far the ratio of two sides goes although their code is the same. From
 * samples of subjects that were measured beside themselves (bench-run --aa), and from
 * several runs of the same commit.
 */
#ifndef FLOORS_H
#define FLOORS_H

#include "contrast.h"

struct floors;
/* schema: of the rows that come. */
struct floors *floors_open(const struct schema *schema);
/*
 * Take what the row says of noise into a place: a number for a subject, metric and unit, on
 * one side or on any. Rows with an aa always count; with history those of other runs do,
 * too: a run's location is one value, and runs of one commit ran the same code. A commit
 * that ends in -dirty may be any code and does not count.
 */
void floors_row(struct floors *f, const struct row *row, size_t place, bool history);
/* After the last row. */
void floors_finish(struct floors *f);
/*
 * The floor of a place as a margin: 0.03 when ratios from 1 / 1.03 to 1.03 are noise. NAN:
 * nothing is known. The greater one of two.
 *
 * A/A: the farther end of the interval of b / a from 1, on the scale of logarithms: the
 * ratio and its interval are those of contrast_measure, so of pairs in blocks. Below 6
 * pairs there is no interval and the ratio itself counts.
 *
 * History, where runs are compared with runs, not block with block: the prediction bound of
 * the difference of two means of old_runs and new_runs future values (G. J. Hahn, W. Q.
 * Meeker, "Statistical Intervals", 1991, chapter 4, of a difference), t s sqrt(1 / old_runs
 * + 1 / new_runs), where s is the standard deviation of the logarithms of the runs'
 * locations about the mean of their commit, pooled over commits, and t Student's quantile
 * for its degrees of freedom, of which there must be two.
 */
double floors_margin(struct floors *f, size_t place, const struct contrast_how *how,
    enum basis basis, size_t old_runs, size_t new_runs);
void floors_close(struct floors *f);

#endif
