/*
 * Numbers and quantities as people write them: "10ms", "1.5G", "5%", "1,2,4", "1..1024*2".
 * Pure: no input, no output. Every parser refuses trailing junk, overflow, nan, inf and
 * hex, returns 0 or -1, and leaves a message that names the text.
 */
#ifndef UNITS_H
#define UNITS_H

#include "base/base.h"

/* A decimal number and nothing else; the shortest path through 2 million of them. */
bool number_parse(struct text t, double *out);
/* A decimal integer, optionally signed. */
bool integer_parse(struct text t, int64_t *out);
/* Hexadecimal digits of up to 64 bits. */
bool hex_parse(struct text t, uint64_t *out);
/* Up to 64 bits, decimal or with 0x before. */
bool bits_parse(struct text t, uint64_t *out);

enum { NUMBER_TEXT_MAX = 40 };
/* The shortest text that reads back to the same double, C locale. Returns its length. */
size_t number_print(char out[NUMBER_TEXT_MAX], double x);

/* "250", "1.5k", "2M": a count. */
int units_count(const char *s, uint64_t *out, struct fault *f);
/* "250", "1.5", "64k": a number, or a count. */
int units_number(const char *s, double *out, struct fault *f);
/* "10ms", "3s", "2min", "1.5h", "1d"; a bare number is seconds. Result in ns. */
int units_duration_ns(const char *s, double *out, struct fault *f);
/* "4096", "64K", "1.5GiB", "2MB": bytes; K, M, G and KiB, MiB, GiB are powers of 1024. */
int units_size_bytes(const char *s, double *out, struct fault *f);
/* "5%" or "5" is 0.05. */
int units_percent(const char *s, double *out, struct fault *f);
/*
 * "a,b,c" as given; "1..5" (step 1), "0..100+25", "1..1024*2" expanded. The texts are
 * allocated, the array too: units_list_free. At most 1,000,000 values.
 */
int units_list(const char *s, char ***out, size_t *count, struct fault *f);
void units_list_free(char **list, size_t count);

/*
 * A value for people: four significant digits and an SI prefix where the unit takes one
 * ("12.35 ms" for 12345678 ns, "1.5 GiB" for bytes, "1234" for unit 1). Returns its length.
 */
size_t units_print(char *out, size_t size, double value, const char *unit);

#endif
