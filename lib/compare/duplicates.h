/*
 * Rows that say again what another said, as when a file was joined with itself: they are no
 * further samples.
 */
#ifndef REPEATS_H
#define REPEATS_H

#include "record/collect.h"

/*
 * Leave out the values of a group, which is of one subject, that have the run, process,
 * sample and value of another. Of a collection that keeps identities and nothing else,
 * after collect_finish. Returns how many.
 */
size_t duplicates_drop(struct collect *c, size_t group);

#endif
