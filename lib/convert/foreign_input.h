/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explains how a file of another program becomes input of the programs that read
 * bench-csv(5).
 */
#ifndef CONVERT_FOREIGN_INPUT_H
#define CONVERT_FOREIGN_INPUT_H

/*
 * Makes messages about files without a known header show the command that converts the
 * file, if bench-convert knows its format, and passes it to this program with these
 * arguments. Call it before the options are parsed.
 */
void foreign_input_explain(int argc, char **argv);

#endif
