/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of the options of bench-compare, which the shell completes.
 */
#ifndef COMPARE_OPTION_VALUES_H
#define COMPARE_OPTION_VALUES_H

#include "text/near_name.h"

/* Adds the values of an option, as struct opt_program describes. */
void compare_option_values(
    struct known_names *k, const char *option, char *const *file, size_t files);

#endif
