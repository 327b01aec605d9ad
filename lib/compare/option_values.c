/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion; see option_values.h.
 */
#include "compare/compare_table.h"
#include "compare/option_values.h"
#include "compare/gate.h"
#include "record/stream_names.h"
#include "record/stream_options.h"
#include "stats/adjust.h"
#include "stats/infer.h"

void compare_option_values(
    struct known_names *k, const char *option, char *const *file, size_t files)
{
	stream_options_values(k, option, file, files);
	if (strcmp(option, "by") == 0 || strcmp(option, "group") == 0 ||
	    strcmp(option, "pair") == 0)
		stream_names_columns(k, file, files);
	else if (strcmp(option, "statistics") == 0)
		compare_column_names(k);
	else if (strcmp(option, "adjust") == 0)
		known_names_add_all(
		    k, adjust_names, sizeof(*adjust_names), adjust_names_count);
	else if (strcmp(option, "test") == 0)
		known_names_add_all(
		    k, infer_tests, sizeof(*infer_tests), infer_tests_count);
	else if (strcmp(option, "unsure") == 0)
		known_names_add_all(
		    k, unsure_names, sizeof(*unsure_names), unsure_names_count);
}
