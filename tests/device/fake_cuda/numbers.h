/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads and writes the elements of matrices by their CUDA_TYPE, for the fakes of cuBLAS.
 */
#ifndef TESTS_FAKE_CUDA_NUMBERS_H
#define TESTS_FAKE_CUDA_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* Returns the size of an element, or 0 if the type is unknown. */
size_t fake_type_bytes(int type);
/* Returns element i. */
double fake_number_load(int type, const char *at, long long i);
/* Returns a number with the 10 bits of fraction that TF32 keeps of a float32. */
double fake_tf32(double x);
/* Sets element i, rounded to nearest. */
void fake_number_store(int type, char *at, long long i, double x);

#endif
