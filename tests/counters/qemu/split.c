/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spends three quarters of its time in one function and one quarter in another,
 * alternately. The loops are in the functions themselves, because on Armv8 the caller of a
 * leaf function is not in the chain of frame pointers.
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
	for (int i = 0; i < 3000; i++) {
		heavy();
		light();
	}
	return 0;
}
