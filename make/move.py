#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""move.py rooms|names [FOLDER...]: moves files as docs/moved.tsv says, with the paths in the text.

rooms: each file into its new folder; a module of lib keeps its name. names: each module of lib, in
its room already, gets its new name. FOLDER...: only these new folders. Include lines are written
with the room; paths in other text follow. Nothing else changes.
"""
import os, re, subprocess, sys

stage, only = sys.argv[1], sys.argv[2:]
table = os.environ.get('MOVED', 'docs/moved.tsv')
rows = [l.rstrip('\n').split('\t') for l in open(table) if l.strip()]
move = {}
for old, new in rows:
    to = os.path.dirname(new)
    if only and not any(to == o or to.startswith(o + '/') for o in only):
        continue
    kept = os.path.join(to, os.path.basename(old)) if old.startswith('lib/') and old != 'include/bench-backend.h' else new
    if stage == 'names':
        old = kept
    else:
        new = kept
    if old != new and os.path.isfile(old):
        move[old] = new

tree = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard'], capture_output=True, text=True).stdout.split('\n')
tree = [f for f in tree if f and os.path.isfile(f) and not os.path.islink(f)]
INCLUDE = re.compile(r'^(\s*#\s*include\s*")([^"]+)(")', re.M)

def target(includer, name):
    """The file of the tree that an include line means; None if there is none."""
    for folder in (os.path.dirname(includer), 'lib', 'include', ''):
        path = os.path.normpath(os.path.join(folder, name))
        if path in files:
            return path

def spell(includer, path):
    if path.startswith('lib/'):
        return path[4:]
    if path.startswith('include/'):
        return path[8:]
    if os.path.dirname(path) == os.path.dirname(includer):
        return os.path.basename(path)
    return path

files = set(tree)
texts = {}
for f in tree:
    if f == table or f.endswith(('.png', '.svg', '.csv', '.json', '.jsonl')) or os.path.samefile(f, __file__):
        continue
    try:
        texts[f] = open(f, encoding='utf-8', newline='').read()
    except UnicodeDecodeError:
        pass
includes = {}
for f, text in texts.items():
    if f.endswith(('.c', '.h', '.cc', '.cl', '.cu')):
        includes[f] = [(m.group(2), target(f, m.group(2))) for m in INCLUDE.finditer(text)]

# Folders of which all files move to one folder are followed in the text, too.
FOLDERS = {
    'tests/data': 'tests/fixtures/data', 'tests/trees': 'tests/fixtures/machines',
    'tests/functions': 'tests/fixtures/functions', 'tests/pmu': 'tests/counters/qemu',
    'tests/backends': 'tests/device/plugins', 'tests/evidence': 'tests/validation',
    'examples/functions': 'share/examples/functions', 'examples/backend': 'share/examples/backend',
    'share/ci': 'share/examples/ci', 'share/cron': 'share/examples/cron',
    'share/slurm': 'share/examples/slurm', 'share/systemd': 'share/examples/systemd',
    'share/backends': 'backends/gpu/kernels',
}
said = dict(move)
for old, new in FOLDERS.items():
    if stage == 'rooms' and any(f.startswith(old + '/') for f in move):
        said[old] = new
for old in list(said):
    if old.startswith('lib/') and old.endswith(('.c', '.h')):
        stem = old[:-2]
        said.setdefault(stem + '.[ch]', said[old][:-2] + '.[ch]')
paths = re.compile(r'(?<![\w.-])(?<!share/)(%s)(?![\w-]|\.[a-z])' % '|'.join(
    re.escape(p) for p in sorted(said, key=len, reverse=True))) if said else None
bare = {}
if stage == 'names':
    for old, new in move.items():
        bare[os.path.basename(old)] = os.path.basename(new)
names = re.compile(r'(?<![\w/"<.-])(%s)(?![\w-])' % '|'.join(map(re.escape, bare))) if bare else None

changed = 0
for f, text in texts.items():
    here = move.get(f, f)
    new = text
    if f in includes:
        found = iter(includes[f])
        def line(m):
            name, path = next(found)
            if path is None or (path not in move and f not in move):
                return m.group(0)
            return m.group(1) + spell(here, move.get(path, path)) + m.group(3)
        new = INCLUDE.sub(line, new)
    if paths:
        new = '\n'.join(l if re.match(r'\s*#\s*include', l) else paths.sub(lambda m: said[m.group(1)], l)
                        for l in new.split('\n'))
    if names and f.endswith(('.c', '.h', '.cl', '.cu', '.t', '.sh', '.md')):
        new = '\n'.join(l if re.match(r'\s*#\s*include', l) else names.sub(lambda m: bare[m.group(1)], l)
                        for l in new.split('\n'))
    if new != text:
        changed += 1
        with open(f, 'w', encoding='utf-8', newline='') as out:
            out.write(new)
for old, new in move.items():
    os.makedirs(os.path.dirname(new), exist_ok=True)
    os.rename(old, new)
for old in move:
    try:
        os.removedirs(os.path.dirname(old))
    except OSError:
        pass
print('%d files moved, %d changed' % (len(move), changed))
