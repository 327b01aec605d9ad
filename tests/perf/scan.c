/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lower bound for bench-stat: libcsv over a file, with callbacks that do nothing.
 */
#include <fcntl.h>
#include <unistd.h>

#include <csv.h>

static void on_field(void *bytes, size_t len, void *ctx)
{
	(void)bytes;
	(void)len;
	(void)ctx;
}

static void on_row(int terminator, void *ctx)
{
	(void)terminator;
	(void)ctx;
}

int main(int argc, char **argv)
{
	static char chunk[1 << 17];
	struct csv_parser p;
	ssize_t got;
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;

	if (fd < 0 || csv_init(&p, 0) != 0)
		return 2;
	while ((got = read(fd, chunk, sizeof(chunk))) > 0)
		if (csv_parse(&p, chunk, (size_t)got, on_field, on_row, NULL) !=
		    (size_t)got)
			return 1;
	csv_fini(&p, on_field, on_row, NULL);
	csv_free(&p);
	return got < 0;
}
