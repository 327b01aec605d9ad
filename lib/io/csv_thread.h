/*
 * Reading CSV from a descriptor: parsed ahead by a second thread where the file is long and
 * there is a processor for it.
 */
#ifndef AHEAD_H
#define AHEAD_H

#include "io/csv_reader.h"

/*
 * Hand all records of what the descriptor gives to the sheet's callback, in this thread,
 * each as soon as it has been read. The name stands in messages. 0 or -1.
 */
int ahead_read(struct sheet *s, int fd, const char *name, struct fault *f);

#endif
