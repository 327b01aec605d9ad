/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports files that another program shortens while they are mapped: reading the missing
 * part raises SIGBUS, which would end the program without a message.
 */
#ifndef SYS_BUS_ERROR_H
#define SYS_BUS_ERROR_H

#define BUS_ERROR_TEXT "another program shortened the file while it was in use"

/*
 * Handles SIGBUS from now on: if it is about a mapped file, calls `report` with the path of
 * the file. `report` runs in a signal handler and ends the process; if it returns, the
 * signal ends the process. Child processes inherit the handler.
 */
void bus_errors_handle(void (*report)(const char *path));

#endif
