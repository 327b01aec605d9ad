# SPDX-License-Identifier: GPL-3.0-or-later
# For tests of time lines in the Trace Event Format. Needs python3.
# shellcheck shell=sh

# trace_spans FILE: checks a document against the rules of the format and of trace_events.h, and prints
# its spans in the order of their starts, with tabs in between: the names of the process and the track,
# the category, the name, the start and the duration in ns, and the arguments as "name=value;" in order
trace_spans() {
	python3 - "$1" <<'END_OF_READER'
import decimal, json, sys

document = json.load(open(sys.argv[1], encoding="utf-8"), parse_float=decimal.Decimal)
assert document["displayTimeUnit"] == "ns"
for fact in "program", "run", "time", "clock":
    assert isinstance(document["otherData"][fact], str), fact
names, owner, tracks = {}, {}, {}
for e in document["traceEvents"]:
    assert e["ph"] in ("X", "M") and isinstance(e["pid"], int) and e["pid"] > 0, e
    if e["ph"] == "M":
        assert e["name"] in ("process_name", "process_sort_index", "thread_name", "thread_sort_index"), e
        if e["name"].endswith("_name"):
            key = e["pid"], e.get("tid")
            assert key not in names, e
            names[key] = e["args"]["name"]
        continue
    assert set(e) <= {"ph", "pid", "tid", "name", "cat", "ts", "dur", "args"}, e
    assert isinstance(e["name"], str) and isinstance(e["cat"], str), e
    assert e["tid"] > 0 and owner.setdefault(e["tid"], e["pid"]) == e["pid"], e
    assert (e["pid"], None) in names and (e["pid"], e["tid"]) in names, e
    start, length = int(e["ts"] * 1000), int(e["dur"] * 1000)
    assert start >= 0 and length >= 0, e
    tracks.setdefault((e["pid"], e["tid"]), []).append((start, -length, e))
found = []
for key, spans in tracks.items():
    end = 0
    for start, minus, e in sorted(spans, key=lambda s: s[:2]):
        assert end <= start, "overlap: %s" % e
        end = start - minus
        found.append((start, names[key[0], None], names[key], e["cat"], e["name"], -minus, e.get("args", {})))
for start, process, track, category, name, length, args in sorted(found, key=lambda s: s[:2]):
    print(process, track, category, name, start, length, "".join("%s=%s;" % a for a in args.items()), sep="\t")
END_OF_READER
}
