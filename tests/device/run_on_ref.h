/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs an operation on ref as a program would.
 */
#ifndef TESTS_DEVICE_RUN_ON_REF_H
#define TESTS_DEVICE_RUN_ON_REF_H

#include <stdio.h>

#include "backends/ref/ref.h"

/* Returns whether ref ran the operation; prints the reason if not. */
static inline bool run_on_ref(struct backend_op *op)
{
	struct backend_config config = { .abi = BACKEND_ABI };
	char why[BACKEND_WHY] = "";
	struct backend_session *s = backend_ref.open(&config, why);
	bool fine = s && backend_ref.supports(s, op, why) == 0 &&
	            backend_ref.prepare(s, op, 1, why) == 0 &&
	            backend_ref.run[op->kind](s, op, why) == 0 &&
	            backend_ref.sync(s, why) == 0;

	if (s) {
		backend_ref.release(s, op, 1);
		backend_ref.close(s);
	}
	if (!fine)
		printf("# %s\n", why);
	return fine;
}

#endif
