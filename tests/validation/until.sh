#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures false alarms and the number of blocks of bench-run --until decided.
. "${0%/*}/common.sh"

sequences=${BUILD:-$here/../../build}/tests/sequences
if [ ! -x "$sequences" ]; then
	echo "until.sh: needs $sequences, which make evidence builds" >&2
	exit 2
fi

# decided NAME SPREAD FACTOR BLOCKS SEED MARGIN RIGHT: runs `sequences` on the blocks of a family
decided() {
	# shellcheck disable=SC2154 # from common.sh
	family "$1" subjects="$subjects" n="$4" seed="$5" blocks=1 logs=1 spread="$2" factor="$3" |
		"$sequences" "$6" "$7"
}

cat <<END
## Measuring until decided

\`bench-run --until decided\` tests after each block and stops when it has a verdict. Here both commands
have the same distribution, the margin is 0, and there are at most 200 blocks. So each verdict *better*
or *worse*, after any block, is a false alarm. In the second column one command is slower by exactly the
margin of 2%: then each verdict is wrong. The nominal rate is 5%. The table shows the percentage of
$REPEATS comparisons, with the 95% interval of that rate; **!** marks a rate whose whole interval is
above 5%.

| family | identical, margin 0 | different by the margin |
|---|---|---|
END
# alarms ADD: prints the rate of wrong verdicts or, if ADD is 1, of all verdicts
# shellcheck disable=SC2154 # from common.sh
alarms() { awk "$wilson"'{ hits = $3 + add * $2
	printf("%s%s", per_cent(hits, $1), lower_share(hits, $1) > 0.05 ? " **!**" : "") }' add="$1"; }
seed=500
for f in normal lognormal uniform exponential bimodal autocorrelated drifting runs; do
	seed=$((seed + 1))
	printf '| %s | %s | %s |\n' $f "$(decided $f 0.02 1 200 $seed 0 within | alarms 0)" \
		"$(decided $f 0.02 1.02 200 $((seed + 50)) 0.02 within | alarms 1)"
done

cat <<END

The next table shows how many blocks a verdict takes. The margin is 2%; the shift is the true difference
in margins; the spread is the standard deviation of the logarithm of a block's ratio, which is also in margins.
A shift below 1 is *same*, and a shift above 1 is *worse*. To compare with a fixed number of blocks,
both have the same rates of errors: at most 5% of the verdicts are wrong, and 5% of the comparisons do
not have the right verdict. So the time of the sequential test is bounded such that 95% have it by then.
The columns show the mean number of blocks with this bound; the bound; the fixed numbers of blocks with
which 95% have the right verdict by the sign test and by Wilcoxon's signed ranks, whose intervals decide
in the same way; and the percentage of wrong verdicts of the sequential test without the bound, in up to
250 blocks (spread 1) or 1000 blocks (spread 2). At a shift of 1 no verdict is right.

| family | spread | shift | mean blocks | bound | fixed, signs | fixed, ranks | wrong |
|---|---|---|---|---|---|---|---|
END
for f in normal exponential; do
	for spread in 1 2; do
		for shift in 0 0.5 1 2; do
			seed=$((seed + 1))
			own=$(awk -v s=$spread 'BEGIN { print 0.02 * s / sqrt(2) }')
			factor=$(awk -v s=$shift 'BEGIN { print exp(s * log(1.02)) }')
			right=$(awk -v s=$shift 'BEGIN { print (s > 1 ? "beyond" : "within") }')
			printf '| %s | %s | %s | ' $f $spread $shift
			decided $f "$own" "$factor" $((250 * spread * spread)) $seed 0.02 "$right" |
				awk -v shift=$shift "$wilson"'
					function number(n) { return n ? n : "–" }
					{ printf("%s | %s | %s | %s | %s |\n", $4 ? $5 : "–", number($4), number($6),
						number($7), per_cent($3 + (shift == 1) * $2, $1)) }'
		done
	done
done
cat <<END

A fixed number of blocks can only be right for one row of this table, and has to be chosen before the
shift and the spread are known; the sequential test stops at the right place in each row. On average it
takes fewer blocks than the sign test with the right fixed number. It loses in two ways: its bound, which
the slowest 5% of the comparisons reach, is higher than that number; and for normal values signed ranks,
which use more than the signs, need fewer blocks if their number is chosen right.
END
printf '\nMade by `REPEATS=%d sh tests/validation/until.sh`.\n' "$REPEATS"
