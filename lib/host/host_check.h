/*
 * Whether a machine is fit to measure on, judged from its facts alone. Unfit: times taken
 * now would mislead. Note: worth knowing or changing, but a fair comparison is possible.
 */
#ifndef FITNESS_H
#define FITNESS_H

#include "host/host.h"

enum fitness_level { FITNESS_NOTE, FITNESS_UNFIT };

struct fitness_advice {
	enum fitness_level level;
	const char *check;  /* what was looked at */
	char found[128];    /* the fact, as people read it */
	const char *advice; /* why it matters and what to do */
};

/* At most one advice a check, in out, which has room for FITNESS_MAX. Returns how many. */
enum { FITNESS_MAX = 32 };
size_t fitness_check(const struct host *h, struct fitness_advice *out);

#endif
