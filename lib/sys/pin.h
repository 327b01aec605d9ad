/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pins each worker to one processor. This module is for the helpers, which link it without
 * the rest of the library.
 */
#ifndef SYS_PIN_H
#define SYS_PIN_H

#include <stdbool.h>
#include <stdint.h>

/* Pins this thread: worker k to the (k modulo n)-th of the n processors on which the thread
 * may run. Returns false if that fails. */
bool pin_worker(uint32_t number);

#endif
