# SPDX-License-Identifier: GPL-3.0-or-later
# What comparisons with PyTorch on a GPU share: source it after rounds.sh, with $here and $python set.
# Sets $times, the directory of the files ours and theirs, and $peer to whether PyTorch can be measured.
# Ends the script if there is no GPU. When the script ends, even by a signal, the awk script of its name
# prints the table.
# shellcheck shell=sh disable=SC2034,SC2154 # variables of the script

if ! bench-list --csv devices cuda 2>/dev/null | grep -q '^cuda,'; then
	echo "no device of the backend cuda here: nothing is measured"
	exit 0
fi
peer=yes
$python -c 'import torch; assert torch.cuda.is_available()' 2>"$dir/err" || {
	peer=no
	echo "no PyTorch with a CUDA device for $python here, so only ours are measured: $(tail -n 1 "$dir/err")" >&2
}
times=${KEEP:-$dir}
mkdir -p "$times"
touch "$times/ours" "$times/theirs"
table() {
	name=${0##*/}
	awk -f "$here/lib/median.awk" -f "$here/${name%.sh}.awk" file=1 "$times/ours" file=2 "$times/theirs"
	rm -rf "$dir"
}
trap table EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
