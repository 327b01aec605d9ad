#!/bin/sh
# One test, for which six minutes are enough: one that hangs fails, with all that it has started,
# and does not keep the others.
case $1 in
*.t) set -- sh "$@" ;;
esac
setsid "$@" &
session=$!
trap 'pkill -KILL -s $session; exit 1' HUP INT TERM
timeout 360 tail -s 0.1 -f --pid=$session /dev/null >/dev/null 2>&1 || pkill -KILL -s $session
wait $session
