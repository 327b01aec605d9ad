/*
 * Which run, process and sample a value came from.
 */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdint.h>

struct identity {
	uint32_t
	    run; /* a number for the text of the run column; tables without one differ */
	int64_t process, sample;
};

#endif
