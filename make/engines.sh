#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# engines.sh DIR: makes a virtual environment of Python with the packages of engines.txt, or keeps the one
# that is there if it was made from the same list by the same Python.
set -eu
dir=$1
list=${0%/*}/engines.txt
stamp=$dir/made-from
want=$(python3 --version && cat "$list")
[ "$(cat "$stamp" 2>/dev/null)" != "$want" ] || exit 0
echo "installing engines into $dir"
rm -rf "$dir"
python3 -m venv "$dir"
# Wheels only: nothing is compiled, and no code of a package runs while it is installed.
"$dir/bin/python3" -m pip install -q --no-deps --only-binary :all: --no-compile -r "$list"
printf '%s\n' "$want" >"$stamp"
