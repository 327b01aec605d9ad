/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shortest decimal form of doubles of moderate size, in integers of 128 bits. Pure.
 */
#ifndef TEXT_SHORTEST_H
#define TEXT_SHORTEST_H

#include "base/base.h"

/* The doubles that shortest_decimal() accepts: at least the first, and below the second. */
#define SHORTEST_LEAST 1e-4
#define SHORTEST_BELOW 1e15

/*
 * Finds the decimal number *digits / 10^*places that parses to x and has the fewest digits;
 * among several, the one that is closest to x. *places is not negative. Returns false if
 * there is none with at most 18 digits that is also the rounded value of x.
 *
 * All numbers between the midpoints to the neighbors of x parse to x (G. Steele, J. White,
 * "How to print floating-point numbers accurately", PLDI 1990). Within these limits the
 * midpoints are whole multiples of a power of two after multiplication by a power of ten.
 */
bool shortest_decimal(double x, uint64_t *digits, int *places);

#endif
