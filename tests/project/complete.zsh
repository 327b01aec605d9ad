# SPDX-License-Identifier: GPL-3.0-or-later
# Types lines into an interactive zsh, presses Tab after each, and prints what is then on the line.
#
#	zsh -f complete.zsh DIRECTORY LINE...
#
# DIRECTORY contains the completion functions.
zmodload zsh/zpty || exit
directory=$1
shift
zpty shell zsh -f -i || exit
# Two marks enclose the answer; the echo of these lines does not contain them.
zpty -w shell "fpath=(${(q)directory} \$fpath) PROMPT= mark='<''>'
	autoload -Uz compinit && compinit -u -D
	press() { zle complete-word; zle -I; print -r -- \$mark\$BUFFER\$mark; BUFFER= }
	zle -N press && bindkey '^T' press && print -r -- \${mark}ready\$mark"
zpty -r -m shell answer '*<>ready<>*' || exit
for line; do
	zpty -w -n shell "$line"$'\x14'
	zpty -r -m shell answer '*<>*<>*' || exit
	answer=${answer#*<>}
	print -r -- "${${answer%%<>*}% }"
done
zpty -d shell
