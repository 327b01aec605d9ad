# SPDX-License-Identifier: GPL-3.0-or-later
# Damages the results of a site, .bench-site/results, and makes the hash of the record fit:
#
#	perl forge.pl FILE entries|series|factors
#
# entries: the first visit has more results than the record; series: its first result belongs to a
# series that does not exist; factors: the name of a factor of the first series exceeds the record.
use strict;
use warnings;
no warnings 'portable';

# hash BYTES SEED: text_hash() of lib/base
sub mix {
	my ($h) = @_;
	$h ^= $h >> 32;
	{ use integer; $h *= 0xd6e8feb86659fd93; }
	$h = unpack 'Q<', pack 'q<', $h;
	return $h ^ ($h >> 32);
}

sub hash {
	my ($bytes, $seed) = @_;
	my $h;
	{ use integer; $h = $seed ^ (length($bytes) * 0x9e3779b97f4a7c15); }
	for my $word (unpack 'Q<*', $bytes) {
		$h = mix($h ^ $word);
		{ use integer; $h += 0x9e3779b97f4a7c15; }
		$h = unpack 'Q<', pack 'q<', $h;
	}
	return mix($h);
}

# The length at an offset, and the offset after the string that has it.
sub length_at { return unpack "x$_[1] Q<", $_[0]; }
sub after { return $_[1] + 8 + int((length_at(@_) + 7) / 8) * 8; }

my ($file, $what) = @ARGV;
open my $in, '<:raw', $file or die "$file: $!\n";
my $log = do { local $/ = undef; <$in> };
close $in;
my $at = 0;
my $kind = $what eq 'factors' ? '1rSetiS1' : '1rSetiR1';
$at += 24 + int((length_at($log, $at + 8) + 7) / 8) * 8 while substr($log, $at, 8) ne $kind;
my $content = $at + 24;
if ($what eq 'factors') {
	my $place = $content + 16; # the host, after the number of series and the length of the first
	$place = after($log, $place) for 1 .. 3; # to the factors
	substr $log, $place + 8, 8, pack 'Q<', 1 << 60;
} else {
	my $place = after($log, after($log, $content)) + 8; # the first visit
	$place = after($log, after($log, $place));
	if ($what eq 'entries') {
		substr $log, $place, 8, pack 'Q<', 1 << 60;
	} else {
		substr $log, $place + 8 + 16, 4, pack 'L<', 0x7fffffff;
	}
}
substr $log, $at + 16, 8, pack 'Q<', hash(substr($log, $content, length_at($log, $at + 8)), 7);
open my $out, '>:raw', $file or die "$file: $!\n";
print $out $log;
close $out or die "$file: $!\n";
