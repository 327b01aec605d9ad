/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files of /proc about processes, as kernels have written them.
 */
#include "sys/procfs.h"
#include "tests/lib/tap.h"

static void test_stat(void)
{
	static const char odd[] =
	    "1234 (a) S (b) c) R 1 1234 1200 34816 1234 4194304 1500 20 3 0 700 30 5 6 20 "
	    "0 4 0 98765 123456789 321 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 "
	    "0 0 0 0 0 0 0 0 0 0 0 0 0\n";
	static const char negative[] = "7 (x) S 2 0 0 0 -1 69238880 0 0 0 0 0 2 0 0 -20 "
	                               "-20 1 0 15 0 0 18446744073709551615";
	struct procfs_stat s;

	tap_ok(procfs_stat(text_of(odd), &s) && s.state == 'R' && s.threads == 4 &&
	           s.reaped_ticks == 11 && s.start_ticks == 98765,
	    "procfs_stat reads a name with spaces and parentheses");
	tap_ok(s.faults == 1503 && s.reaped_faults == 20,
	    "procfs_stat reads the page faults of a process and of its children");
	tap_ok(procfs_stat(text_of(negative), &s) && s.threads == 1 && s.start_ticks == 15,
	    "procfs_stat reads negative fields");
	tap_ok(!procfs_stat(TEXT("7 (x) S 2 0"), &s),
	    "procfs_stat rejects an incomplete file");
	tap_ok(!procfs_stat(TEXT(""), &s), "procfs_stat rejects an empty file");
	tap_ok(!procfs_stat(TEXT("7 (x"), &s), "procfs_stat rejects a name without an end");
}

static void test_value(void)
{
	static const char status[] = "Name:\tVmRSS: 5\nVmRSS:\t    1234 kB\nThreads:\t3\n"
	                             "voluntary_ctxt_switches:\t150\n"
	                             "nonvoluntary_ctxt_switches:\t545";
	uint64_t n = 0;

	tap_ok(procfs_value(text_of(status), "VmRSS", &n) && n == 1234,
	    "procfs_value finds a key only at the start of a line");
	tap_ok(procfs_value(text_of(status), "voluntary_ctxt_switches", &n) && n == 150,
	    "procfs_value does not find a key in another key");
	tap_ok(procfs_value(text_of(status), "nonvoluntary_ctxt_switches", &n) && n == 545,
	    "procfs_value finds a key in a last line without a newline");
	tap_ok(!procfs_value(text_of(status), "Pss", &n),
	    "procfs_value returns false for an absent key");
	tap_ok(!procfs_value(TEXT("Pss:\nx: 1\n"), "Pss", &n),
	    "procfs_value returns false for a key without a number");
}

static void test_resident(void)
{
	uint64_t pages = 0;

	tap_ok(
	    procfs_resident_pages(TEXT("4096 321 300 5 0 80 0\n"), &pages) && pages == 321,
	    "procfs_resident_pages reads the second number of statm");
	tap_ok(!procfs_resident_pages(TEXT("0 0 0 0 0 0 0\n"), &pages),
	    "procfs_resident_pages returns false if a process has released its memory");
	tap_ok(!procfs_resident_pages(TEXT("4096"), &pages) &&
	           !procfs_resident_pages(TEXT(""), &pages),
	    "procfs_resident_pages rejects an incomplete statm");
}

static void test_list(void)
{
	struct text list = TEXT("12 345  6 \n");
	uint64_t a = 0, b = 0, c = 0, d;

	tap_ok(procfs_next(&list, &a) && procfs_next(&list, &b) && procfs_next(&list, &c) &&
	           a == 12 && b == 345 && c == 6,
	    "procfs_next reads the numbers of a list");
	tap_ok(!procfs_next(&list, &d), "procfs_next returns false at the end of a list");
}

int main(void)
{
	test_stat();
	test_value();
	test_resident();
	test_list();
	return tap_end();
}
