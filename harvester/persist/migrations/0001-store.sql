-- What must survive between runs. docs/store.md explains each table in prose.

-- One row a manifest name; every other table speaks of a source by its number.
CREATE TABLE source (
  id         int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  endpoint   text NOT NULL,
  prefix     text NOT NULL,
  first_seen timestamptz NOT NULL DEFAULT now()
);

-- One row an identifier. No column is touched by a run that changes nothing: marking a million rows as seen costs
-- 1.1 GB of WAL.
CREATE TABLE record (
  source_id      int NOT NULL REFERENCES source,
  identifier     text COLLATE "C" NOT NULL,
  checksum       bytea NOT NULL,
  raw_checksum   bytea NOT NULL,
  sequence       bigint,
  datestamp      timestamptz,
  -- Sets of the source in which it was last seen alive; '' is the whole repository.
  sets           text[] NOT NULL,
  packed         bytea NOT NULL,
  body_encoding  text NOT NULL DEFAULT 'gzip',
  canonical      jsonb NOT NULL,
  about          jsonb NOT NULL DEFAULT '[]',
  remarks        jsonb NOT NULL DEFAULT '[]',
  first_seen     timestamptz NOT NULL DEFAULT now(),
  changed_at     timestamptz NOT NULL DEFAULT now(),
  deleted        boolean NOT NULL DEFAULT false,
  deleted_reason text CHECK (deleted_reason IN ('tombstone', 'missing-from-snapshot')),
  PRIMARY KEY (source_id, identifier),
  CHECK (deleted = (deleted_reason IS NOT NULL)),
  CHECK (deleted = (cardinality(sets) = 0))
) WITH (fillfactor = 90);
-- Already compressed by us: PostgreSQL need not try again.
ALTER TABLE record ALTER packed SET STORAGE EXTERNAL;

-- How far everything is durable, per list that is asked.
CREATE TABLE cursor (
  source_id  int NOT NULL REFERENCES source,
  endpoint   text NOT NULL,
  set_spec   text NOT NULL,
  prefix     text NOT NULL,
  watermark  timestamptz,
  unfinished jsonb,
  swept_at   timestamptz,
  run_id     text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source_id, endpoint, set_spec, prefix)
);

-- The second lock on law 1: whoever writes this table, a watermark never goes back.
CREATE FUNCTION keep_watermark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.watermark IS NOT NULL AND (NEW.watermark IS NULL OR NEW.watermark < OLD.watermark) THEN
    RAISE EXCEPTION 'the watermark of source % may only move forward', OLD.source_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_watermark BEFORE UPDATE ON cursor FOR EACH ROW EXECUTE FUNCTION keep_watermark();

CREATE TABLE run (
  run_id        text COLLATE "C" PRIMARY KEY,
  source_id     int NOT NULL REFERENCES source,
  endpoint      text NOT NULL,
  prefix        text NOT NULL,
  policy_digest text NOT NULL,
  holder        text NOT NULL,
  manifest      jsonb NOT NULL,
  status        text NOT NULL DEFAULT 'running'
                CHECK (status IN ('running', 'complete', 'partial', 'failed', 'refused', 'interrupted')),
  started_at    timestamptz NOT NULL,
  ended_at      timestamptz,
  exit_code     int,
  code          text,
  message       text,
  counts        jsonb,
  summary       jsonb,
  CHECK ((status = 'running') = (ended_at IS NULL))
);
CREATE INDEX run_of_source ON run (source_id, started_at DESC);

-- Records that did not pass, with everything needed to judge them again.
CREATE TABLE quarantine (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source_id     int NOT NULL REFERENCES source,
  identifier    text COLLATE "C" NOT NULL,
  set_spec      text NOT NULL,
  gate          text NOT NULL,
  rule          text NOT NULL,
  message       text NOT NULL,
  xpath         text,
  line          int,
  violations    jsonb NOT NULL,
  packed        bytea NOT NULL,
  body_encoding text NOT NULL DEFAULT 'gzip',
  raw_checksum  bytea NOT NULL,
  header        jsonb,
  cursor        jsonb NOT NULL,
  run_id        text NOT NULL,
  policy_digest text NOT NULL,
  first_seen    timestamptz NOT NULL DEFAULT now(),
  last_seen     timestamptz NOT NULL DEFAULT now(),
  times_seen    int NOT NULL DEFAULT 1,
  resolved_at   timestamptz,
  resolution    text CHECK (resolution IN ('healed', 'replayed', 'withdrawn', 'dismissed')),
  CHECK ((resolved_at IS NULL) = (resolution IS NULL))
);
ALTER TABLE quarantine ALTER packed SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX quarantine_open ON quarantine (source_id, identifier) WHERE resolved_at IS NULL;
CREATE INDEX quarantine_of_run ON quarantine (run_id);

-- Retry-After and the breaker, remembered across runs and pods.
CREATE TABLE endpoint_state (
  endpoint             text PRIMARY KEY,
  blocked_until        timestamptz,
  blocked_because      text,
  consecutive_failures int NOT NULL DEFAULT 0,
  opened_at            timestamptz,
  updated_at           timestamptz NOT NULL DEFAULT now()
);

-- Who may write for a source. The token grows with every holder, so that one who lost the lease cannot write (fencing).
CREATE TABLE source_lease (
  source_id  int PRIMARY KEY REFERENCES source,
  holder     text NOT NULL,
  run_id     text NOT NULL,
  token      bigint NOT NULL,
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- The ceiling of a host over all processes: leases with an expiry, because an advisory lock of a frozen pod never ends.
CREATE TABLE host_slot (
  host       text NOT NULL,
  slot       int NOT NULL,
  holder     text,
  token      bigint NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (host, slot)
) WITH (fillfactor = 50);

-- When the host may be asked again (generic cell rate algorithm: the theoretical arrival time).
CREATE TABLE host_rate (
  host text PRIMARY KEY,
  tat  timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Identifiers of a sweep under way. Unlogged: worthless after a crash.
CREATE UNLOGGED TABLE sweep_stage (
  source_id  int NOT NULL,
  run_id     text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  PRIMARY KEY (source_id, run_id, identifier)
);
