/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of a helper that is called through helper_proto.h, from its request to its end.
 * For bench-call and bench-compute, which link it alone.
 */
#ifndef TOOLS_HELPERS_HELPER_MAIN_H
#define TOOLS_HELPERS_HELPER_MAIN_H

#include "helper_worker.h"

/* Finds what is to run, as helper_job asks for it, or gives up. In each process of workers.
 */
typedef void helper_loader(void);

_Noreturn void helper_main(helper_loader *loader);

#endif
