/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares the parts of the fake driver for each other.
 */
#ifndef TESTS_FAKE_CUDA_DRIVER_H
#define TESTS_FAKE_CUDA_DRIVER_H

#include "fake.h"

/* Allocates device memory; a code of the driver. */
int fake_memory_take(void **address, size_t bytes);
/* Frees device memory. */
int fake_memory_give(void *address);
/* Returns whether a stream is being captured. NULL is the default stream. */
bool fake_is_capturing(void *stream);
/* Returns whether any stream is being captured, and makes its capture invalid. */
bool fake_spoil_capture(void);
#endif
