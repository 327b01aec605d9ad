#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests share/examples/slurm/bench-fleet.sh with stand-ins for the programs of Slurm, which run a job
# immediately, here: a subject that cannot be measured does not lose the streams of the nodes.
. "${0%/*}/../lib/tap.sh"

mkdir slurm
PATH=$T/slurm:$PATH
stand_in() { { echo '#!/bin/sh' && cat; } >"slurm/$1" && chmod 755 "slurm/$1"; }
stand_in sinfo <<'END'
echo 'n[1-2]'
END
stand_in scontrol <<'END'
[ "$2" = hostnames ] && printf '%s\n' n1 n2
END
stand_in squeue </dev/null
stand_in scancel </dev/null
stand_in sbatch <<'END'
while [ "${1#-}" != "$1" ]; do
	[ "$1" != -w ] || { SLURMD_NODENAME=$2; shift; }
	shift
done
export SLURMD_NODENAME
sh "$@" >/dev/null
echo 1
END
gcc -x c -shared -fPIC -o fine.so - <<'END'
void benchmark_fine(void) { }
END
printf 'echo hi\n' >plain && chmod +x plain
cat >subjects.csv <<END
kind,bench,subject
function,fine,$T/fine.so:benchmark_fine
function,wrong,$T/fine.so:benchmark_wrong
command,quick,true
command,plain,$T/plain
END
status 1 "bench-fleet.sh exits with status 1 if a subject has a wrong symbol" timeout 60 "$ROOT/share/examples/slurm/bench-fleet.sh" subjects.csv \
	-e none -r 2 -w 0 --processes 1 --sample-time 10us
cp .out all.csv
each=',wall,ns,2,0'
lacked=',wall,ns,0,1'
is "$(bench-stat -g node,bench,metric -s n,failed all.csv | grep ,wall, | sort | tr '\n' ' ')" \
	"fine,n1$each fine,n2$each plain,n1$lacked plain,n2$lacked quick,n1$each quick,n2$each wrong,n1$lacked wrong,n2$lacked " \
	"bench-fleet.sh merges the streams of all nodes, with a skipped row for each wrong subject"
is "$(grep -c 'n[12]: bench-run: wrong: skipped: .*no function' .err)" 2 "bench-fleet.sh reports the wrong subject of each node"
done_testing
