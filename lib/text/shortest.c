/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact decimal forms; see shortest.h.
 */
#include "text/shortest.h"

typedef unsigned __int128 wide;

enum { MANTISSA_BITS = 52, EXPONENT_BIAS = 1075, PLACES_MAX = 21 };
#define HIDDEN_BIT (UINT64_C(1) << MANTISSA_BITS)

/* Returns the least number of decimal places with which x has 17 digits or more. */
static int places_of(double x)
{
	double bound = 1e15;
	int places = 2;

	for (; x < bound && places < PLACES_MAX; places++)
		bound /= 10;
	return places;
}

/* Returns the multiple of 10^drop that is closest to number / 2^bits, divided by 10^drop;
 * among two, the even one. */
static uint64_t nearest(wide number, int bits, int drop)
{
	uint64_t whole = (uint64_t)(number >> bits), unit = 1, rest, quotient;
	wide below = number & (((wide)1 << bits) - 1), half;

	for (int i = 0; i < drop; i++)
		unit *= 10;
	quotient = whole / unit;
	rest = whole % unit;
	/* Twice the part that is dropped, compared with the unit */
	below = (((wide)rest << bits) + below) * 2;
	half = (wide)unit << bits;
	return quotient + (below > half || (below == half && quotient % 2));
}

/* Does as shortest_decimal() for numbers with few decimal places, such as most measured
 * values. A quotient of two exact numbers is correctly rounded. */
static bool few_places(double x, uint64_t *digits, int *places)
{
	static const double power[] = { 1, 10, 100, 1000 };

	for (size_t k = 0; k < COUNT(power) && x * power[k] < (double)(HIDDEN_BIT / 8);
	     k++) {
		uint64_t n = (uint64_t)(x * power[k] + 0.5);

		if ((double)n / power[k] == x) {
			*digits = n;
			*places = (int)k;
			return true;
		}
	}
	return false;
}

bool shortest_decimal(double x, uint64_t *digits, int *places)
{
	uint64_t bits, mantissa, scale = 1, least, most;
	int exponent, fraction, drop = 0;
	wide low, high;
	bool even;

	if (!(x >= SHORTEST_LEAST && x < SHORTEST_BELOW))
		return false;
	if (few_places(x, digits, places))
		return true;
	memcpy(&bits, &x, sizeof(bits));
	mantissa = (bits & (HIDDEN_BIT - 1)) | HIDDEN_BIT;
	exponent = (int)(bits >> MANTISSA_BITS) - EXPONENT_BIAS;
	even = mantissa % 2 == 0;
	*places = places_of(x);
	for (int i = 0; i < *places; i++)
		scale *= 5;
	/* x * 10^places is 4 * mantissa * scale / 2^fraction. */
	fraction = 2 - exponent - *places;
	low = (wide)scale * (4 * mantissa - (mantissa == HIDDEN_BIT ? 1 : 2));
	high = (wide)scale * (4 * mantissa + 2);
	low += ((wide)1 << fraction) - even;
	high -= !even;
	least = (uint64_t)(low >> fraction);
	most = (uint64_t)(high >> fraction);
	if (least > most)
		return false;
	for (; drop < *places && (least + 9) / 10 <= most / 10; drop++) {
		least = (least + 9) / 10;
		most /= 10;
	}
	*digits = nearest((wide)scale * 4 * mantissa, fraction, drop);
	*places -= drop;
	return *digits >= least && *digits <= most;
}
