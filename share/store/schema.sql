-- SPDX-License-Identifier: GPL-3.0-or-later
-- The database of bench-store(1), for SQLite.
--
-- A line "-- version N" begins the statements that bring a database from version N - 1 to N;
-- a new database runs them all. The version is kept in PRAGMA user_version, and PRAGMA
-- application_id is 0x626e6368, "bnch". A version that is in use is never edited: append the
-- next one.
--
-- Texts are as in bench-csv(5); an empty field is ''. A missing number is NULL. Times that
-- are compared are RFC 3339 in UTC with nine digits, so that they sort as text. What
-- bench-csv(5) calls commit is commit_id here, because COMMIT is a word of SQL.

-- version 1

-- A run: one invocation of bench-run, or a table that came without one. host, env and
-- commit_id are those of its first series.
CREATE TABLE benchmark_runs (
	run_id INTEGER PRIMARY KEY,
	run TEXT NOT NULL UNIQUE,
	time TEXT,              -- of its first sample
	added TEXT NOT NULL,    -- when it was first added here
	host TEXT NOT NULL,
	env TEXT NOT NULL,
	commit_id TEXT NOT NULL
);

-- A series: all samples of one subject in one run, summarised. factors is a JSON object of
-- texts, sorted by name: factors ->> 'n' is the column n of the stream. The statistics are
-- those of bench-stat(1): warm-ups and failed samples are left out, a time series counts by
-- its mean a sample, and ci_lo and ci_hi enclose the median with 95 % confidence.
CREATE TABLE benchmark_results (
	result_id INTEGER PRIMARY KEY,
	run_id INTEGER NOT NULL REFERENCES benchmark_runs ON DELETE CASCADE,
	host TEXT NOT NULL,
	env TEXT NOT NULL,
	commit_id TEXT NOT NULL,
	kind TEXT NOT NULL,
	bench TEXT NOT NULL,
	factors TEXT NOT NULL,
	metric TEXT NOT NULL,
	unit TEXT NOT NULL,
	row_count INTEGER NOT NULL, -- all rows, warm-ups and failed ones too
	n INTEGER NOT NULL,
	failed INTEGER NOT NULL,
	mean REAL,
	sd REAL,
	min REAL,
	p5 REAL,
	median REAL,
	p95 REAL,
	max REAL,
	mad REAL,
	ci_lo REAL,
	ci_hi REAL,
	UNIQUE (run_id, bench, metric, factors, kind, unit)
);
CREATE INDEX benchmark_results_by_bench ON benchmark_results (bench, metric);

-- The samples of a series, in order of process, sample and t, up to 4096 in a chunk. The
-- bytes are described in lib/store/pack.h and in bench-store(1); bench-store export writes them
-- out as rows.
CREATE TABLE raw_benchmark_data (
	raw_id INTEGER PRIMARY KEY,
	result_id INTEGER NOT NULL REFERENCES benchmark_results ON DELETE CASCADE,
	chunk INTEGER NOT NULL, -- 0, 1, 2 ...
	row_count INTEGER NOT NULL,
	data BLOB NOT NULL,
	UNIQUE (result_id, chunk)
);

-- Facts of machines, from bench-env(1).
CREATE TABLE hardware_info (
	env TEXT NOT NULL,
	fact TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (env, fact)
) WITHOUT ROWID;

CREATE TABLE run_tags (
	tag TEXT NOT NULL,
	run_id INTEGER NOT NULL REFERENCES benchmark_runs ON DELETE CASCADE,
	PRIMARY KEY (tag, run_id)
) WITHOUT ROWID;
CREATE INDEX run_tags_by_run ON run_tags (run_id);

-- Every series with its run: what --where and most questions look at. at is the time of the
-- run, or when it was added if its rows have none.
CREATE VIEW benchmark_history AS
SELECT run, time, added, coalesce(time, added) AS at, s.*
FROM benchmark_results AS s JOIN benchmark_runs USING (run_id);

-- version 2

-- A sum over the rows of the run, described in bench-store(5): 32 hexadecimal digits, or NULL
-- for a run that version 1 had, which is never summed.
ALTER TABLE benchmark_runs ADD COLUMN checksum TEXT;
CREATE INDEX benchmark_runs_by_at ON benchmark_runs (coalesce(time, added), run_id);

-- Of every subject and metric on every host its newest run.
CREATE VIEW benchmark_latest AS
SELECT * FROM (
	SELECT h.*, row_number() OVER (PARTITION BY host, kind, bench, factors, metric, unit
		ORDER BY at DESC, run_id DESC) AS newness
	FROM benchmark_history AS h) AS ranked
WHERE newness = 1;

-- The newest runs of a subject on each kind of machine, side by side. ratio is to the least
-- median of the subject among them.
CREATE VIEW hardware_comparison AS
SELECT kind, bench, factors, metric, unit, host, env,
	(SELECT value FROM hardware_info AS i WHERE i.env = m.env AND fact = 'cpu_model') AS cpu_model,
	(SELECT value FROM hardware_info AS i WHERE i.env = m.env AND fact = 'cpu_cores') AS cpu_cores,
	(SELECT value FROM hardware_info AS i WHERE i.env = m.env AND fact = 'memory_bytes') AS memory_bytes,
	(SELECT value FROM hardware_info AS i WHERE i.env = m.env AND fact = 'arch') AS arch,
	at, run, commit_id, n, median, ci_lo, ci_hi,
	median / nullif(min(median) OVER (PARTITION BY kind, bench, factors, metric, unit), 0) AS ratio
FROM (
	SELECT h.*, row_number() OVER (PARTITION BY host, env, kind, bench, factors, metric, unit
		ORDER BY at DESC, run_id DESC) AS newness
	FROM benchmark_history AS h) AS m
WHERE newness = 1;

-- How many items a second each type of architecture (vision, encoder, decoder ...) did in its
-- newest runs, by backend, kind of device and precision: over how many models, and from the
-- slowest to the fastest.
CREATE VIEW architecture_throughput AS
SELECT factors ->> 'arch' AS architecture, factors ->> 'backend' AS backend,
	factors ->> 'device_type' AS device_type, factors ->> 'dtype' AS dtype, host, unit,
	count(DISTINCT bench) AS models, count(*) AS series,
	min(median) AS slowest, avg(median) AS mean, max(median) AS fastest
FROM benchmark_latest
WHERE metric = 'throughput' AND factors ->> 'arch' IS NOT NULL AND median IS NOT NULL
GROUP BY factors ->> 'arch', factors ->> 'backend', factors ->> 'device_type',
	factors ->> 'dtype', host, unit;
