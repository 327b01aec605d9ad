/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three quarters of its time in one function and a quarter in another, turn by turn. The
 * loops stand in the functions themselves: on Armv8 the caller of a leaf is not in the
 * chain of frame pointers.
 */
#define SPIN(turns)                                 \
	for (unsigned long i = 0; i < (turns); i++) \
	__asm__ volatile("" ::: "memory")

__attribute__((noinline)) void heavy(void)
{
	SPIN(75000);
}

__attribute__((noinline)) void light(void)
{
	SPIN(25000);
}

int main(void)
{
	for (int i = 0; i < 6000; i++) {
		heavy();
		light();
	}
	return 0;
}
