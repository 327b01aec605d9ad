/*
 * Sets of small whole numbers as people write them: "0,2-3", "0..7". Pure.
 */
#ifndef NUMBER_SET_H
#define NUMBER_SET_H

#include <sched.h>

#include "base.h"

/* Mark the numbers of the list in set, which has size places. 0, or -1 and the message. */
int number_set_parse(const char *list, bool *set, size_t size, struct fault *f);
/* The same, as processors. */
int number_set_cpus(const char *list, cpu_set_t *out, struct fault *f);

#endif
