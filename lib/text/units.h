/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and quantities as people write them: "10ms", "1.5G", "5%", "1,2,4", "1..1024*2".
 * Pure: no input, no output. Every parser refuses trailing junk, overflow, nan, inf and
 * hex. Those with a struct fault return 0, or -1 and a message with the text.
 */
#ifndef TEXT_UNITS_H
#define TEXT_UNITS_H

#include "base/base.h"

/* Parses a decimal number. Fast: streams have millions of them. */
bool number_parse(struct text t, double *out);
/* Parses a decimal integer, optionally signed. */
bool integer_parse(struct text t, int64_t *out);
/* Parses up to 64 bits in hexadecimal digits, without 0x. */
bool hex_parse(struct text t, uint64_t *out);
/* Parses up to 64 bits, in decimal, or in hexadecimal after 0x. */
bool bits_parse(struct text t, uint64_t *out);

enum { NUMBER_TEXT_MAX = 40 };
/* Prints the shortest text that parses to the same double. Returns its length. */
size_t number_print(char out[NUMBER_TEXT_MAX], double x);

/* Parses a count: "250", "1.5k", "2M". */
int units_count(const char *s, uint64_t *out, struct fault *f);
/* Parses a number or a count: "250", "1.5", "64k". */
int units_number(const char *s, double *out, struct fault *f);
/*
 * Parses "10ms", "3s", "2min", "1.5h", "1d", of at most 100 years, into ns; a bare number
 * is in seconds.
 */
int units_duration_ns(const char *s, double *out, struct fault *f);
/*
 * Parses "4096", "64K", "1.5GiB", "2MB" into bytes: K and KiB are 1024, KB is 1000, and so
 * on.
 */
int units_size_bytes(const char *s, double *out, struct fault *f);
/* Parses "5%" or "5" into 0.05. */
int units_percent(const char *s, double *out, struct fault *f);
/*
 * Returns whether a percentage without a sign is between 0 and 1, such as "0.05", and thus
 * may be meant as a fraction.
 */
bool units_percent_is_doubtful(const char *s);
/*
 * Splits "a,b,c" and expands "1..5" (step 1), "0..100+25", "1..1024*2", to at most
 * 1,000,000 values. The caller frees the list with units_list_free.
 */
int units_list(const char *s, char ***out, size_t *count, struct fault *f);
void units_list_free(char **list, size_t count);

/*
 * Prints a value for people: four significant digits and a prefix ("12.35 ms" for 12345678
 * ns, "1.500 GiB" for bytes, "18.50 M/s" for the unit 1/s). Numbers of unit 1 have a prefix
 * if they are large: "1234", "12.35 M". Returns its length.
 */
size_t units_print(char *out, size_t size, double value, const char *unit);

/* Appends a relative change, such as 0.123, as a percentage with its sign: "+12.3%". From a
 * million times on it has an exponent: "+1.5e+08%". */
void units_put_change(struct buf *b, double change);

#endif
