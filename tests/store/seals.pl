# SPDX-License-Identifier: GPL-3.0-or-later
# The seals of a database, computed as bench-store(5) describes them, by nothing of ours.
#
#     perl seals.pl DATABASE
use strict;
use warnings;
no warnings 'portable';

my $db = shift;
my @seeds = (0x5bd1e9955bd1e995, 0x27d4eb2f165667c5);
my $golden = 0x9e3779b97f4a7c15;

sub ask { open my $f, '-|', 'sqlite3', '-separator', '|', $db, shift or die; chomp(my @lines = <$f>); @lines }
sub times_64 { use integer; my ($a, $b) = @_; my $p = $a * $b; no integer; $p & ~0 }
sub plus_64 { use integer; my ($a, $b) = @_; my $s = $a + $b; no integer; $s & ~0 }
sub mix { my $h = shift; $h ^= $h >> 32; $h = times_64($h, 0xd6e8feb86659fd93); $h ^ $h >> 32 }

sub hash_of {
	my ($bytes, $seed) = @_;
	my $left = length($bytes) % 8;
	my $h = $seed ^ times_64(length $bytes, $golden);
	my @words = unpack 'Q<*', $bytes . "\0" x (-length($bytes) % 8);
	my $last = $left ? pop @words : 0;
	$h = plus_64(mix($h ^ $_), $golden) for @words;
	$h = mix($h ^ $last) if $left;
	return mix($h);
}

# Returns the hashes of all rows of a table that a condition selects, summed.
sub sum_of {
	my ($table, $where) = @_;
	my @sum = (0, 0);
	my @columns = map { [split /\|/] } ask("SELECT cid + 1, name FROM pragma_table_info('$table')");
	@columns = grep { $_->[1] ne 'seal' } @columns;
	my $select = join ', ', map { "typeof($_->[1]), CASE typeof($_->[1]) WHEN 'integer' THEN $_->[1] WHEN 'real'"
		. " THEN hex(ieee754_to_blob($_->[1])) ELSE hex($_->[1]) END" } @columns;
	for my $line (ask("SELECT $select FROM $table WHERE $where")) {
		my @field = split /\|/, $line, -1;
		my $bytes = "$table\0";
		for my $column (@columns) {
			my ($type, $value) = splice @field, 0, 2;
			next if $type eq 'null';
			$bytes .= chr $column->[0];
			if ($type eq 'integer') { $bytes .= 'i' . pack 'q<', $value }
			elsif ($type eq 'real') { $bytes .= 'n' . reverse pack 'H*', $value }
			else { $bytes .= ($type eq 'text' ? 't' : 'b') . pack('Q<', length($value) / 2) . pack 'H*', $value }
		}
		$sum[$_] = plus_64($sum[$_], hash_of($bytes, $seeds[$_])) for 0, 1;
	}
	return @sum;
}

sub add { my ($to, @more) = @_; $to->[$_] = plus_64($to->[$_], $more[$_]) for 0, 1 }
sub show { printf "%s|%016x%016x\n", @_ }

my %part = (facts => ['hardware_info', 'fact_sets', 'fact_set_values'], tags => ['run_tags'], annotations => ['annotations']);
my @runs = (0, 0);
for my $run (ask('SELECT run_id FROM benchmark_runs ORDER BY run_id')) {
	my @seal = (0, 0);
	add(\@seal, sum_of($_, "run_id = $run")) for qw(benchmark_runs benchmark_results run_fact_sets run_fact_changes);
	add(\@seal, sum_of('raw_benchmark_data', "result_id IN (SELECT result_id FROM benchmark_results WHERE run_id = $run)"));
	show($run, @seal);
	add(\@runs, @seal);
}
show('runs', @runs);
for my $part (sort keys %part) {
	my @seal = (0, 0);
	add(\@seal, sum_of($_, 1)) for @{$part{$part}};
	show($part, @seal);
}
