# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of the programs of benchutils for bash: source this file. Options and verbs come from the
# program that would run (--list-options).
# shellcheck shell=bash

# --list-options prints "-r<TAB>--runs<TAB>N<TAB>help" for an option, where letter and argument may be
# empty, and "verb<TAB>name" for a verb. "--list-options runs FILE..." prints the values that an option can
# have, such as the columns of files.
_benchutils() {
	local tab=$'\t' word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local line letter name rest words='' verbs=''

	COMPREPLY=()
	# bash makes three words of --name=value.
	if [[ $word == = ]]; then
		word=
	elif [[ $before == = ]]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	while IFS= read -r line; do
		letter=${line%%"$tab"*} rest=${line#*"$tab"}
		name=${rest%%"$tab"*} rest=${rest#*"$tab"}
		if [[ $letter == verb ]]; then
			verbs+=" $name"
			continue
		fi
		words+=" $letter $name"
		if [[ -n ${rest%%"$tab"*} && ( $before == "$letter" || $before == "$name" ) ]]; then
			_benchutils_names "$1" "${rest%%"$tab"*}" "$word" "${name#--}"
			return
		fi
	done < <("$1" --list-options 2>/dev/null)

	if [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	elif [[ -n $verbs ]] && ! _benchutils_seen "$verbs"; then
		mapfile -t COMPREPLY < <(compgen -W "$verbs" -- "$word")
	elif [[ $1 == *bench-run || $1 == *bench-prof ]]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$word")
	fi
}

# Completes the argument of an option: names, separated by commas. If there are none, bash completes
# files.
_benchutils_names() {
	local list=${1%bench-*}bench-list column=2 listed='' last=${3##*,} names name file files=()

	case $2 in
	KERNEL*) listed=kernels ;;
	MODEL*) listed=models ;;
	BACKEND*) listed=backends column=1 ;;
	esac
	if [[ -n $listed ]]; then
		names=$("$list" --csv $listed 2>/dev/null | sed 1d | cut -d, -f$column)
	else
		for file in "${COMP_WORDS[@]:1}"; do
			[[ -f $file ]] && files+=("$file")
		done
		names=$("$1" --list-options "$4" "${files[@]}" 2>/dev/null)
	fi
	# compgen -W would expand names of the files, such as $(...).
	while IFS= read -r name; do
		[[ -n $name && $name == "$last"* ]] && COMPREPLY+=("${3%"$last"}$(printf %q "$name")")
	done <<<"$names"
}

# Succeeds if one of the verbs is before the cursor.
_benchutils_seen() {
	local i
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ " $1 " == *" ${COMP_WORDS[i]} "* ]] && return
	done
	return 1
}

complete -o default -o bashdefault -F _benchutils \
	bench-compare bench-convert bench-env bench-list bench-plot bench-prof bench-report bench-run bench-stat bench-store
