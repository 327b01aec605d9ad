# SPDX-License-Identifier: GPL-3.0-or-later
# Samples for the tests of sites. Source this file after tap.sh.
# shellcheck shell=sh

# profile RUN COMMIT DAY HOT: a profile of 1000 samples, HOT of them in a function with a hostile name
profile() {
	awk -v run="$1" -v commit="$2" -v day="$3" -v hot="$4" 'BEGIN {
		print "run,time,host,env,commit,kind,bench,comm,stack,sample,metric,unit,value,status"
		split("main;parse,main;hot<b>&\"x,main;write /home/anna/file", stack, ",")
		split(400 " " hot " " 600 - hot, value, " ")
		for (i = 1; i <= 3; i++) {
			gsub(/"/, "\"\"", stack[i])
			row = sprintf("%s,2026-01-%02dT00:00:00Z,host0,env0,%s,command,work,work,\"%s\",0", run, day, commit, stack[i])
			printf "%s,samples,1,%d,ok\n%s,cpu-clock,ns,%d,ok\n", row, value[i], row, value[i] * 1e6
		}
	}'
}

# history FIRST COMMITS: runs of three benchmarks with a factor, on two hosts, at COMMITS commits from
# number FIRST on. "slower" becomes 20% slower at commit 30, "faster" takes 30% less with n=10 from
# commit 45 on. The same commit has the same samples in each call.
history() {
	awk -v first="$1" -v commits="$2" '
	# A number from 0 to 1 that depends on all arguments.
	function noise(a, b, c, d, e, x) {
		x = sin(a * 12.9898 + b * 78.233 + c * 37.719 + d * 9.151 + e * 4.581) * 43758.5453
		return x - int(x)
	}
	BEGIN {
		split("steady slower faster", name)
		for (c = first; c < first + commits; c++)
			for (h = 0; h < 2; h++) {
				print "run,time,host,env,commit,kind,bench,n,sample,metric,unit,value,status"
				for (b = 1; b <= 3; b++)
					for (n = 10; n <= 100; n *= 10)
						for (s = 0; s < 6; s++) {
							v = 1e6 * b * n * (1 + h / 2) * (1 + 0.01 * noise(c, h, b, n, s))
							if (b == 2 && c >= 30)
								v *= 1.2
							if (b == 3 && n == 10 && c >= 45)
								v *= 0.7
							printf "run-%d-%d,2026-%02d-%02dT0%d:00:00Z,host%d,env%d,%07x%033d,command,%s,%d,%d,wall,ns,%d,ok\n",
								c, h, 1 + int(c / 28), 1 + c % 28, h, h, h, c * 7919 + 16777216, c, name[b], n, s, v
						}
			}
	}'
}
