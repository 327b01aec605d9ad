/*
 * The life of a helper that is called through helper_proto.h, from its request to its end. For
 * bench-call and bench-compute, which link it alone.
 */
#ifndef CALL_PROCESS_H
#define CALL_PROCESS_H

#include "helper_worker.h"

/* Finds what is to run, as call_job asks for it, or gives up. In each process of workers.
 */
typedef void call_loader(void);

_Noreturn void call_process(call_loader *loader);

#endif
