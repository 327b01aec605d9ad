#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# clang compiles the backends, whose kernels use vectors and instruction sets, without a warning.
. "${0%/*}/../lib/tap.sh"

skip_unless unsanitized 'clang compiles the backends without a warning' || done_testing
skip_unless clang-openmp 'clang compiles the backends without a warning' || done_testing

# Not optimized, which takes a quarter of the time. To make, any value of SANITIZE means that no -O3 is added.
build() { make -s -C "$ROOT" BUILD="$T/build" CC=clang CFLAGS=-O0 SANITIZE=-O0 "$@"; }
# shellcheck disable=SC2046 # names are words
build $(build --eval 'objects: ; @echo $(call objects,$(BACKEND_SRC))' objects) >compiled 2>&1
is "$? $(cat compiled)" '0 ' 'clang compiles the backends without a warning'
done_testing
