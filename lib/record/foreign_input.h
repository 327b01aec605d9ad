/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explains how a file of another program becomes input of the programs that read
 * bench-csv(5). bench-convert --detect recognizes the file, so that these programs need not
 * contain the readers of all formats.
 */
#ifndef RECORD_FOREIGN_INPUT_H
#define RECORD_FOREIGN_INPUT_H

#include "base/base.h"

/* Stores the arguments of the program, which the advice repeats. Call it before the options
 * are parsed. Without it, nothing is explained. */
void foreign_input_arguments(int argc, char **argv);
/*
 * Replaces the message about a file without a known header if it is a file of another
 * program: the new one names its format, the command that converts it, and how to pass the
 * result to this program.
 */
void foreign_input_explain(const char *path, struct fault *f);

#endif
