/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shared object that is not a backend. */
int bench_nothing(void);

int bench_nothing(void)
{
	return 0;
}
