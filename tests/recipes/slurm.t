#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests share/examples/slurm on a cluster of four nodes, all on this machine: real munged, slurmctld and
# slurmd, with private directories and ports.
# waits
. "${0%/*}/../lib/tap.sh"

need() {
	for need in munged slurmctld slurmd sbatch; do
		PATH=$PATH:/usr/sbin skip_unless "$need" "Slurm measures on four nodes" || return 1
	done
	skip_unless root "Slurm measures on four nodes" && skip_unless own-mounts "Slurm measures on four nodes" &&
		skip_unless unsanitized "Slurm measures on four nodes"
}
need || done_testing
PATH=$PATH:/usr/sbin

# Private directories and free ports.
host=$(hostname)
mkdir etc munge state n1 n2 n3 n4 logs
dd if=/dev/urandom of=munge/key bs=128 count=1 2>/dev/null
chmod 400 munge/key
chmod 755 "$T" munge
ports=$(perl -MIO::Socket::INET -e '
	my @s = map { IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") } 1 .. 5;
	print join(" ", map { $_->sockport } @s)')
# shellcheck disable=SC2086
set -- $ports
{
	cat <<EOF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$1
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$T/munge/socket
CryptoType=crypto/munge
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
StateSaveLocation=$T/state
SlurmdSpoolDir=$T/%n
SlurmctldPidFile=$T/slurmctld.pid
SlurmdPidFile=$T/%n.pid
SlurmctldLogFile=$T/logs/ctld
SlurmdLogFile=$T/logs/%n
ReturnToService=2
MinJobAge=300
KillWait=1
InactiveLimit=0
MpiDefault=none
PartitionName=all Nodes=n[1-4] Default=YES State=UP MaxTime=INFINITE
EOF
	for node in 1 2 3 4; do
		shift
		echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$1 CPUs=$(nproc) State=UNKNOWN"
	done
} >etc/slurm.conf
export SLURM_CONF="$T/etc/slurm.conf"

started=
stop() {
	# shellcheck disable=SC2086
	[ -z "$started" ] || kill $started 2>/dev/null
	pkill -F munge/pid 2>/dev/null
	wait 2>/dev/null
}
trap 'stop; rm -rf "$T"' EXIT
munged --force --socket="$T/munge/socket" --key-file="$T/munge/key" --pid-file="$T/munge/pid" \
	--log-file="$T/munge/log" --seed-file="$T/munge/seed" >munge/out 2>&1
slurmctld -D >logs/ctld.out 2>&1 &
started=$!
for node in n1 n2 n3 n4; do
	slurmd -D -N $node >logs/$node.out 2>&1 &
	started="$started $!"
done
idle() { [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l)" = 4 ]; }
if ! wait_long idle; then
	result 1 "the four nodes of the test cluster start"
	note "$(sinfo -N; tail -n 5 munge/out munge/log logs/*)"
	done_testing
fi
result 0 "the four nodes of the test cluster start"

fleet=$ROOT/share/examples/slurm/bench-fleet.sh
printf 'kind,bench,subject\ncommand,sleeps,sleep 0.01\n' >subjects.csv
status 0 "bench-fleet.sh measures on every node" timeout 100 "$fleet" subjects.csv -r 3 -w 0 -e none
cp .out all.csv
is "$(cat .err)" '' "bench-fleet.sh prints no message without failures"
is "$(bench-stat -g node,metric -s n all.csv | grep ,wall, | tr '\n' ' ')" 'n1,wall,ns,3 n2,wall,ns,3 n3,wall,ns,3 n4,wall,ns,3 ' \
	"bench-fleet.sh writes the samples of all nodes as one stream"
ok "bench-store add accepts the stream of bench-fleet.sh" bench-store -D f.db add -q all.csv
is "$(bench-store -D f.db sql 'select count(*) from benchmark_runs' | tail -n 1)" 4 "the stream of bench-fleet.sh has one run for each node"
ok "the stream of bench-fleet.sh contains the facts of the nodes" sh -c 'bench-store -D f.db export --facts | grep -q cpu'
is "$(ls -d bench-fleet.* 2>/dev/null)" '' "bench-fleet.sh leaves no directory"

# The job of one node is killed, one node fails before it measures, and one has samples that fail, which
# is no failure of the node.
cat >subject.sh <<'EOF'
#!/bin/sh
case $SLURMD_NODENAME in
n2) scancel --signal=KILL --full "$SLURM_JOB_ID"; sleep 30 ;;
n4) exit 3 ;;
esac
EOF
chmod 755 subject.sh
printf 'kind,bench,subject\ncommand,odd,%s/subject.sh\n' "$T" >odd.csv
DIR=$T/kept
mkdir "$DIR"
export DIR
mkdir "$DIR/n3.part"
echo stale >"$DIR/n3.csv"
status 1 "bench-fleet.sh exits with status 1 if nodes or samples fail" timeout 100 "$fleet" odd.csv -r 2 -w 0 -e none
cp .out odd.out
unset DIR
is "$(bench-stat -g node,metric -s n,failed odd.out | grep ,wall, | tr '\n' ' ')" \
	'n1,wall,ns,2,0 n2,wall,ns,0,1 n3,wall,ns,0,1 n4,wall,ns,0,2 ' "bench-fleet.sh writes a row for each node without samples"
like "$(grep ,n2, odd.out)" ',failed:signal=(KILL|TERM)$' "bench-fleet.sh writes the status of a job that was killed"
like "$(grep ,n3, odd.out)" ',failed:exit=[12]$' "bench-fleet.sh writes the status of a job whose script failed"
like "$(cat .err)" 'n4: bench-run: 2 samples failed' "bench-fleet.sh prints the messages of a node with its name"
ok "bench-store add accepts the stream of a fleet with failures" bench-store -D f.db add -q odd.out

# A node that is down: its job is canceled after LIMIT seconds.
scontrol update nodename=n3 state=down reason=test
NODES='n[1,3]' LIMIT=6
export NODES LIMIT
status 1 "bench-fleet.sh exits with status 1 if a node is down" timeout 100 "$fleet" subjects.csv -r 2 -w 0 -e none
like "$(cat .out)" 'command,bench-node.sh,n3,.*,skipped$' "bench-fleet.sh writes a row of status skipped for a node that is down"
is "$(bench-stat -g node,metric -s n .out | grep '^n1,wall')" n1,wall,ns,2 "bench-fleet.sh measures the other nodes if one is down"
unset NODES LIMIT
scontrol update nodename=n3 state=resume

# An array of jobs.
wait_long idle
mkdir array
ok "sbatch runs bench-node.sh as an array" timeout 100 sbatch --wait --array=1-4 "$ROOT/share/examples/slurm/bench-node.sh" \
	"$T/array" "$T/subjects.csv" -r 2 -w 0 -e none
is "$(cat array/*.csv | bench-stat -g metric -s n | grep ^wall)" wall,ns,8 "each task of an array of bench-node.sh writes a stream"
cat array/*.csv >array.csv
is "$(cat array/*.csv | bench-store -D a.db add 2>&1 | sed -n 's/ rows in .*/ rows/p')" \
	"bench-store: added $(unmarked array.csv | grep -c -v -e ^env, -e ^run, -e '^[0-9a-f]\{12\},') rows" "bench-store add accepts the streams of an array of bench-node.sh"

# Each node adds its stream to the database. All nodes share this file, because they are one machine.
status 0 "bench-fleet.sh succeeds with ADD set to a database" env ADD="$T/own.db" timeout 100 "$fleet" subjects.csv -r 2 -w 0 -e none
is "$(cat .out)" '' "bench-fleet.sh writes no stream with ADD set to a database"
is "$(bench-store -D own.db sql 'select count(*) from benchmark_runs' | tail -n 1)" 4 "the database that ADD names contains the runs of all nodes"

# The disk for the stream is full; the controller does not answer for a while; bench-fleet.sh is
# interrupted while its jobs wait, in a directory with a space in its name.
NODES=n1
export NODES
status 2 "bench-fleet.sh exits with status 2 on a full disk" sh -c 'timeout 100 "$0" subjects.csv -r 2 -w 0 -e none >/dev/full' "$fleet"
mkdir 'odd place' && cp "$ROOT"/share/examples/slurm/*.sh 'odd place/' && cp subjects.csv 'odd place/my subjects.csv' && cd 'odd place' || exit
printf '#!/bin/sh\n[ -e answered ] || { : >answered; exit 1; }\nexec %s "$@"\n' "$(command -v squeue)" >squeue
chmod 755 squeue
status 0 "bench-fleet.sh succeeds if the controller does not answer at first" env PATH="$PWD:$PATH" timeout 100 sh bench-fleet.sh 'my subjects.csv' -r 2 -w 0 -e none
is "$(bench-stat -g node,metric -s n ../.out | grep ,wall,)" n1,wall,ns,2 "bench-fleet.sh writes the stream of a job although the controller did not answer at first"
ok "the stand-in for squeue did not answer at first" test -e answered
scontrol update nodename=n1 state=drain reason=test
sh bench-fleet.sh 'my subjects.csv' -r 2 -w 0 -e none >../interrupted 2>&1 &
fleet_id=$!
queued() { [ -n "$(squeue -h)" ]; }
wait_for queued
kill $fleet_id
wait $fleet_id
is "$?,$(squeue -h),$(ls -d bench-fleet.?????? 2>/dev/null)" 1,, "bench-fleet.sh leaves no job and no directory if it is interrupted"
scontrol update nodename=n1 state=resume
cd "$T" || exit
unset NODES
status 2 "bench-fleet.sh exits with status 2 if the table of subjects is missing" "$fleet" none.csv
like "$(cat .err)" 'none\.csv' "bench-fleet.sh names the missing table of subjects"
is "$(squeue -h)" '' "bench-fleet.sh starts no job if the table of subjects is missing"
done_testing
