/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests that the hashes of seals never change, because databases contain them.
 * bench-store(5) has their definition.
 */
#include <math.h>

#include "../lib/tap.h"
#include "store/seal.h"

static struct seal_row row;

static struct checksum tag_hash(const char *tag, int64_t run)
{
	seal_row_begin(&row, SEAL_TAG);
	seal_row_text(&row, text_of(tag));
	seal_row_integer(&row, run);
	return seal_row_hash(&row);
}

static const char *hex_of(const struct checksum *sum)
{
	static char hex[CHECKSUM_HEX + 1];

	checksum_print(hex, sum);
	return hex;
}

static void test_frozen(void)
{
	struct checksum hash = tag_hash("base", 1);

	tap_text(hex_of(&hash), "ca00250fc07dacc39c6ce66ed8a259a6",
	    "the hash of a tag equals the hash in existing databases");
	seal_row_begin(&row, SEAL_CHUNK);
	seal_row_null(&row);
	seal_row_integer(&row, -1);
	seal_row_number(&row, 0.1);
	seal_row_number(&row, NAN);
	seal_row_bytes(&row, (struct text){ "\0\377", 2 });
	hash = seal_row_hash(&row);
	tap_text(hex_of(&hash), "775462c9d770aca6a31ca2a7bea68bb6",
	    "the hash of a row with all types equals the hash in existing databases");
}

static void test_types(void)
{
	static const char *const names[] = { "an empty text", "an empty blob", "a zero",
		"a zero as a double", "NULL" };
	struct checksum hash[5];

	for (size_t i = 0; i < COUNT(hash); i++) {
		seal_row_begin(&row, SEAL_FACT);
		if (i == 0)
			seal_row_text(&row, TEXT(""));
		else if (i == 1)
			seal_row_bytes(&row, TEXT(""));
		else if (i == 2)
			seal_row_integer(&row, 0);
		else if (i == 3)
			seal_row_number(&row, 0);
		else
			seal_row_null(&row);
		hash[i] = seal_row_hash(&row);
		for (size_t other = 0; other < i; other++)
			tap_ok(!checksum_equal(&hash[i], &hash[other]),
			    "the hash of %s differs from that of %s", names[i],
			    names[other]);
	}
}

static void test_sums(void)
{
	struct checksum a = tag_hash("a", 1), b = tag_hash("b", 1), sum = { 0 },
	                turned = { 0 };

	checksum_add(&sum, &a);
	checksum_add(&sum, &b);
	checksum_add(&turned, &b);
	checksum_add(&turned, &a);
	tap_ok(
	    checksum_equal(&sum, &turned), "a seal does not depend on the order of rows");
	checksum_subtract(&sum, &a);
	tap_ok(checksum_equal(&sum, &b),
	    "subtracting a row leaves the seal of the other rows");
}

/* The two lanes of a checksum are computed side by side. */
static void test_lanes(void)
{
	static const char bytes[] = "The quick brown fox jumps over the lazy dog";
	size_t equal = 0;

	for (size_t len = 0; len < sizeof(bytes); len++) {
		struct text t = { bytes, len };
		uint64_t both[2] = { len, 0x27d4eb2f165667c5 };

		text_hash_twice(t, both);
		equal += both[0] == text_hash(t, len) &&
		         both[1] == text_hash(t, 0x27d4eb2f165667c5);
	}
	tap_ok(equal == sizeof(bytes),
	    "two hashes of a text at once equal its hashes one after the other");
}

int main(void)
{
	test_frozen();
	test_lanes();
	test_types();
	test_sums();
	seal_row_free(&row);
	return tap_end();
}
