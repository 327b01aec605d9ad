/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a helper that serves helper_proto.h, from its request to its end. Only bench-call
 * and bench-compute link it.
 */
#ifndef TOOLS_HELPERS_HELPER_MAIN_H
#define TOOLS_HELPERS_HELPER_MAIN_H

#include "helper_job.h"

/* Loads what helper_job requests, or gives up. Called in each process of workers. */
typedef void helper_loader(void);

/* Reads the request, runs the workers, and exits. `prepare`, which may be NULL, is called
 * in the first process of workers only, before the loader is called in all of them at the
 * same time.
 */
_Noreturn void helper_main(helper_loader *prepare, helper_loader *loader);

#endif
