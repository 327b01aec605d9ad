/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests sys/memory_file.c. */
#include <string.h>
#include <unistd.h>

#include "sys/memory_file.h"
#include "tests/lib/tap.h"

static void test_contents(void)
{
	struct memory_file m;
	struct fault f = { 0 };
	const char *name;
	char byte;

	tap_ok(memory_file_create(&m, &f) == 0 && memory_file_map(&m, &f) == 0 &&
	           m.text.ptr && m.text.len == 0,
	    "an empty file in memory is an empty string");
	tap_ok(memory_file_add(&m, TEXT("one\n"), &f) == 0 &&
	           memory_file_add_file(&m, "/proc/self/comm", &name, &f) == 0 &&
	           memory_file_map(&m, &f) == 0,
	    "a string and a file without a size are appended to a file in memory");
	tap_ok(text_begins(m.text, "one\nmemory_file_tes\n") &&
	           pread(m.fd, &byte, 1, 2) == 1 && byte == 'e',
	    "the string and the descriptor have the contents of a file in memory");
	memory_file_close(&m);
	tap_ok(m.fd == -1 && !m.text.ptr, "a file in memory that is closed is none");
	memory_file_close(&m);
}

static void test_absent(void)
{
	struct memory_file m;
	struct fault f = { 0 };
	const char *name;

	tap_ok(memory_file_create(&m, &f) == 0 &&
	           memory_file_add_file(&m, "/no/such", &name, &f) < 0 &&
	           strcmp(f.text, "/no/such: No such file or directory") == 0,
	    "memory_file_add_file names a file that is absent");
	memory_file_close(&m);
}

int main(void)
{
	test_contents();
	test_absent();
	return tap_end();
}
