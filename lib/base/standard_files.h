/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Standard descriptors that were closed when the program started. The next file that the
 * program opens would get such a descriptor, and rows or messages would be written to it.
 */
#ifndef BASE_STANDARD_FILES_H
#define BASE_STANDARD_FILES_H

/*
 * Opens each closed descriptor of 0, 1 and 2 on the null device, in the opposite mode:
 * standard input for writing, the other two for reading. Its use fails with EBADF, as if it
 * were closed, even in child processes. A file that reaches the limit of its size (ulimit
 * -f) makes write(2) fail with EFBIG, instead of ending the program. Makes the kernel keep
 * the status and usage of processes that have ended, even if the parent ignored SIGCHLD.
 * Ends the program with status 2 when the null device cannot be opened. Every main calls it
 * first.
 */
void standard_files_open(void);

#endif
