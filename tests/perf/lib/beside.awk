# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the name of a program, its time and its peak memory in kB of each round, those of our program
# first. Prints a row for each program; the ratio is the median of the rounds' ratios of our time to that
# of the program, and its interval is that of a median, from order statistics.
$1 != last {
	name[++programs] = last = $1
	rounds = 0
}
{
	time[programs, ++rounds] = $2
	times[programs] = times[programs] " " $2
	memory[programs] = memory[programs] " " $3
}
# Returns a number with three significant digits, if it is not larger.
function short(x) { return sprintf(x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : x >= 1 ? "%.2f" : "%.3f", x) }
END {
	# The largest k for which fewer than k of the rounds are below the median in at most 2.5% of cases
	p = exp(rounds * log(0.5))
	for (k = 0; below + p <= 0.025; k++) {
		below += p
		p *= (rounds - k) / (k + 1)
	}
	for (i = 1; i <= programs; i++) {
		ratios = interval = ""
		for (r = 1; i > 1 && r <= rounds; r++) {
			ratio = time[i, r] > 0 ? time[1, r] / time[i, r] : 0
			ratios = ratios " " ratio
			for (at = r; at > 1 && sorted[at - 1] > ratio; at--)
				sorted[at] = sorted[at - 1]
			sorted[at] = ratio
		}
		if (i > 1 && k > 0)
			interval = short(sorted[k]) " to " short(sorted[rounds + 1 - k])
		printf "| %s | %s | %s | %s | %s | %s |\n", (i == 1 ? what : ""), name[i], short(median(times[i])),
			short(median(memory[i]) * 1024 / 1e6), (i > 1 ? short(median(ratios)) : ""), interval
	}
}
