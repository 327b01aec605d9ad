/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Confining a worker to a processor of its own. For the helpers, which link it alone.
 */
#ifndef SYS_PIN_H
#define SYS_PIN_H

#include <stdbool.h>
#include <stdint.h>

/* Worker k gets the (k modulo n)-th of the n processors that this thread may run on. */
bool pin_worker(uint32_t number);

#endif
