# SPDX-License-Identifier: GPL-3.0-or-later
# Lets the programs find the engines of build/venv, or ends the script if there are none. Source it
# after setting $here to the directory of the script.
# shellcheck shell=sh disable=SC2154

VIRTUAL_ENV=$(cd "$here/../.." && pwd)/build/venv
export VIRTUAL_ENV
if [ ! -d "$VIRTUAL_ENV" ]; then
	echo "no engines here (make deps-engines installs them): nothing is compared"
	exit 0
fi
