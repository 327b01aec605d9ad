#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The virtual environment with the engines that tests use: `make deps-engines` makes it once, and each
# library in it is where tests look for it.
. "${0%/*}/../lib/tap.sh"

# A python3 that makes an environment whose python3 writes its arguments to the log.
mkdir bin make
cat >bin/python3 <<'END'
#!/bin/sh
case $1 in
--version) echo "Python ${FAKE_VERSION:-3.11.2}" ;;
-m) mkdir -p "$3/bin" && printf '#!/bin/sh\necho "$*" >>"%s/log"\n%s\n' "$T" "${FAKE_FAILS:+exit 1}" >"$3/bin/python3" &&
	chmod 755 "$3/bin/python3" ;;
esac
END
chmod 755 bin/python3
cp "$ROOT/make/engines.sh" "$ROOT/make/engines.txt" make
made() { PATH=$T/bin:$PATH sh make/engines.sh "$T/venv"; }
calls() { wc -l <log; }

FAKE_FAILS=yes && export FAKE_FAILS
status 1 "make deps-engines fails if the packages cannot be installed" made
unset FAKE_FAILS
is "$(made)" "installing engines into $T/venv" "make deps-engines tries again after a failure"
like "$(tail -n 1 log)" ' --only-binary :all: .*-r make/engines.txt$' "make deps-engines installs wheels only"
is "$(made),$(calls)" ',2' "make deps-engines keeps the environment of the same list"
echo 'other==1' >>make/engines.txt
made >/dev/null
is "$(calls)" 3 "make deps-engines makes the environment again after a change of the list"
FAKE_VERSION=3.13.1 && export FAKE_VERSION
made >/dev/null
is "$(calls)" 4 "make deps-engines makes the environment again for another Python"
is "$(grep -Evx '#.*|[A-Za-z0-9_-]+==[0-9.]+' "$ROOT/make/engines.txt")" '' "each engine that tests use has a fixed version"

# pinned PACKAGE: the version in the list
pinned() { sed -n "s/^$1==//p" "$ROOT/make/engines.txt"; }
# installed PACKAGE: the version in the environment
installed() { sed -n 's/^Version: //p' "$VENV"/lib/python3*/site-packages/"$1"-*.dist-info/METADATA; }
for name in onnxruntime openvino onnxruntime-qnn onnx-python; do
	package=${name%-python}
	if skip_unless "$name" "tests use the version of $package on the list"; then
		is "$(installed "$(echo "$package" | tr - _)")" "$(pinned "$package")" "tests use the version of $package on the list"
	fi
done
done_testing
