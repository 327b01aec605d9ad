/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of the directories that bench-run -d creates.
 */
#include <stdlib.h>

#include "results/run_dir.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"

int main(void)
{
	static const char *const want[] = { "20261122T223433.776Z", "20261122T223433.777Z",
		"20261122T223433.778Z" };
	const int64_t begun_ns = INT64_C(1795386873776196480);
	struct fault f = { "" };

	if (!tap_ok(scratch_begin(), "a scratch directory is created"))
		return tap_end();
	for (size_t i = 0; i < COUNT(want); i++) {
		struct run_dir *dir = run_dir_open("kept", begun_ns, &f);
		const char *path = dir ? run_dir_path(dir) : f.text;

		tap_text(strchr(path, '/') ? strchr(path, '/') + 1 : path, want[i],
		    i ? "a run in the same millisecond gets a directory named after the "
		        "next "
		        "one"
		      : "the directory is named after the time in UTC");
		run_dir_close(dir);
	}
	scratch_end();
	return tap_end();
}
