#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# english.pl TABLE ROOT FILE...: finds phrases of a table in the prose of files, which are named from
# ROOT, and prints a line "FILE:LINE: 'PHRASE': write WORDS" for each. The prose of a file depends on
# its name:
#   *.1 ... *.7        the text of a manual page, without displays and without names of options,
#                      files, programs and arguments
#   *.md               text without blocks of code and without what is between backquotes
#   *.c, *.h           comments, and texts of several words between double quotes
#   *.t                comments and the descriptions of tests
#   *.sql, *.sh, *.js, and any other file with such comments: comments that begin with --, # or //
#   *.csv              each line
# Prose is searched by paragraphs, so a phrase may continue on the next line.
use strict;
use warnings;

my ($table, $root, @files) = @ARGV;

# The table has a line for each phrase: a regular expression, what to write instead, and a regular
# expression of exceptions, which must contain the phrase; tabs separate the fields.
my @rules;
open my $rows, '<', $table or die "$table: $!\n";
while (my $row = <$rows>) {
	chomp $row;
	next if $row =~ /^(#|$)/;
	my ($phrase, $better, $except) = split /\t+/, $row;
	die "$table:$.: a row has a phrase and what to write instead\n" unless defined $better;
	push @rules, {
		find => qr/$phrase/i,
		better => $better,
		except => defined $except ? qr/$except/i : undef,
	};
}

my $any = join '|', map { "(?:$_->{find})" } @rules;
$any = qr/$any/;

my ($file, $text, @starts, $found);

# Searches the paragraph that was collected, and begins the next.
sub paragraph {
	for my $rule ($text =~ $any ? @rules : ()) {
		next unless $text =~ $rule->{find};
		my %excepted;
		if ($rule->{except}) {
			while ($text =~ /$rule->{except}/g) {
				$excepted{$_} = 1 for $-[0] .. $+[0] - 1;
			}
		}
		while ($text =~ /$rule->{find}/g) {
			my ($from, $to) = ($-[0], $+[0]);
			next if $excepted{$to - 1};
			my $line = 0;
			for my $start (@starts) {
				$line = $start->[1] if $start->[0] <= $from;
			}
			my $phrase = substr $text, $from, $to - $from;
			$phrase =~ s/^\s+|\s+$//g;
			$phrase = substr($phrase, 0, 57) . '...' if length $phrase > 60;
			push @$found, [$line, "$file:$line: '$phrase': write $rule->{better}"];
		}
	}
	($text, @starts) = ('');
}

sub add {
	my ($line, $more) = @_;
	push @starts, [length $text, $line];
	$more =~ s/^\s+|\s+$//g;
	$more =~ s/\b\w+_\w*\b/X/g; # a name
	$text .= ($text eq '' ? '' : ' ') . $more;
}

# A line by itself.
sub single {
	paragraph();
	add(@_);
	paragraph();
}

# Macros of manual pages whose arguments are names, not words.
my %names = map { $_ => 1 } qw(Ad An Ar Cd Cm Dv Er Ev Fa Fd Fl Fn Fo Ft Ic In Li Lk Mt Nm Op Oo Pa Ql Rs
	St Va Vt Xr);
my %others = map { $_ => 1 } qw(Ac Ao Aq Bc Bo Bq Dc Do Dq Ec Em Eo Ns Oc Pc Pf Po Pq Qc Qo Qq Sc Sm So Sq
	Sx Sy Ta Tn No Ap Bx Ux);

sub page {
	my $display = 0;
	for my $i (1 .. @_) {
		my $line = $_[$i - 1];
		next if $line =~ /^\.\\"/;
		if ($line =~ /^\.Bd -(literal|unfilled)/) { $display = 1; paragraph(); next }
		if ($line =~ /^\.Ed/) { $display = 0; paragraph(); next }
		next if $display || $line =~ /^\.(Dl|D1|Dd|Dt|Os|Ft|Fn|Fo|Fa|Fc|In|Vt)\b/;
		if ($line =~ /^\.(Pp|It|Sh|Ss|Bd|Bl|El|Nd)\b ?(.*)/) {
			my ($macro, $rest) = ($1, $2);
			paragraph();
			next if $macro =~ /^(Pp|Bd|Bl|El)$/;
			$line = $macro eq 'It' ? ".No $rest" : $rest;
			if ($macro ne 'It') { single($i, $line) if $rest ne ''; next }
		}
		if ($line =~ s/^\.//) {
			my ($out, $named) = ('', 0);
			for my $word ($line =~ /"[^"]*"|\S+/g) {
				if ($names{$word}) { $named = 1; $out .= ' X' }
				elsif ($others{$word}) { $named = 0 }
				elsif ($word =~ /^[.,:;)?!]$/) { $out .= $word }
				elsif (!$named) { $word =~ s/^"|"$//g; $out .= " $word" }
			}
			$line = $out;
		}
		$line =~ s/\\&//g;
		$line =~ s/\\\(aq/'/g;
		$line =~ s/\\f.|\\-/-/g;
		add($i, $line);
	}
	paragraph();
}

sub markdown {
	my $block = 0;
	for my $i (1 .. @_) {
		my $line = $_[$i - 1];
		if ($line =~ /^\s*```/) { $block = !$block; paragraph(); next }
		next if $block || $line =~ /^(    |\t)(?!.*[a-z] [a-z]+ [a-z]+ [a-z]+ [a-z]+ )/;
		paragraph() if $line =~ /^\s*($|[-*#|]|\d+\.)/;
		$line =~ s/`[^`]*`/X/g;
		$line =~ s/\]\([^)]*\)/]/g;
		add($i, $line);
		paragraph() if $line =~ /^[#|]/;
	}
	paragraph();
}

# Texts of C: %s and the like are names.
sub literal {
	my ($line, $string) = @_;
	$string =~ s/\\[nt]/ /g;
	$string =~ s/\\(.)/$1/g;
	$string =~ s/%[-+ #0]*(\*|\d+)?(\.(\*|\d+))?(hh|h|ll|l|z|j|t)?[a-zA-Z]/X/g;
	$string =~ s/'[^' ]*'/X/g;
	single($line, $string) if $string =~ /[a-z][,;:]? +[^ ]*[a-z]/i;
}

sub source {
	my $all = join "\n", @_;
	my ($line, $string, $string_line) = (1, undef, 0);
	while ($all =~ m{\G(?:(/\*.*?\*/|//[^\n]*)|("(?:\\.|[^"\\])*")|(\s+)|(\w+|'(?:\\.|[^'\\])+'|.))}gs) {
		my ($comment, $quoted, $space, $word) = ($1, $2, $3, $4);
		my $here = $line;
		$line += ($& =~ tr/\n//) unless defined $word;
		if (defined $quoted) {
			$string_line = $here unless defined $string;
			$string = ($string // '') . substr $quoted, 1, -1;
			next;
		}
		next if defined $space;
		# PRIu64 and the like join two texts.
		if (defined $word && defined $string && $word =~ /^PRI[a-zA-Z]+\d*$/) {
			$string .= 'X';
			next;
		}
		literal($string_line, $string) if defined $string;
		undef $string;
		if (defined $comment) {
			my @lines = split /\n/, $comment;
			for my $i (0 .. $#lines) {
				my $l = $lines[$i];
				$l =~ s{^\s*(/\*|//)?\s*\*?(?!/)}{};
				$l =~ s{\*/\s*$}{};
				if ($l =~ /^\s*$/) { paragraph(); next }
				add($here + $i, $l);
			}
			paragraph();
		}
	}
	literal($string_line, $string) if defined $string;
}

# Comments that a mark begins, each of which may have several lines.
sub comments {
	my ($mark, @lines) = @_;
	for my $i (1 .. @lines) {
		my $line = $lines[$i - 1];
		if ($line =~ m{^\s*$mark+(?:\s(.*)|)$}) {
			my $rest = $1 // '';
			$rest =~ s/^[a-z_]+(?: [A-Z\[][^:]*)?: //; # the name of a function, and its arguments
			if ($rest eq '') { paragraph() } else { add($i, $rest) }
		} else {
			paragraph();
			single($i, $1) if $line =~ m{\s$mark\s(\S+ .*)$};
		}
	}
	paragraph();
}

# Descriptions of tests: a text after one of the functions of tap.sh, or the last one of its lines.
sub script {
	comments('#', @_);
	for my $i (1 .. @_) {
		my $line = $_[$i - 1];
		next if $line =~ /^\s*#/;
		next unless $line =~ /(?:\b(?:is|like|unlike|ok|status|result|skip_unless)\b.*|^\s+)(["'])([^"']*[a-z] [^"']*)\1( \\)?$/ ||
			$line =~ /\b(?:ok|status \d+|skip_unless \S+|result \S+) (["'])([^"']* [^"']*)\1/;
		my $name = $2;
		$name =~ s/\$\{?\w+\}?/X/g;
		single($i, $name);
	}
}

# Searches a file by the kind that its name has.
for (@files) {
	$file = $_;
	($text, @starts) = ('');
	$found = [];
	open my $in, '<', "$root/$file" or die "$file: $!\n";
	my @lines = <$in>;
	chomp @lines;
	if ($file =~ /\.[1-7]$/) { page(@lines) }
	elsif ($file =~ /\.md$/) { markdown(@lines) }
	elsif ($file =~ /\.(c|h|cc|cu|cl|js)$/) { source(@lines) }
	elsif ($file =~ /\.t$|^tests\/.*\.sh$/) { script(@lines) }
	elsif ($file =~ /\.sql$/) { comments('--', @lines) }
	elsif ($file =~ /\.csv$/) { single($_, $lines[$_ - 1]) for 1 .. @lines }
	else { comments('#', @lines) }
	print "$_->[1]\n" for sort { $a->[0] <=> $b->[0] } @$found;
}
