#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The time of one full reading of a GPU.
set -eu
here=$(cd "${0%/*}" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
gcc -O2 -D_GNU_SOURCE -iquote "$here/../../lib" -o "$dir/gpu_read" "$here/gpu_read.c" "${BUILD:-$here/../../build}/libbench.a"
"$dir/gpu_read"
