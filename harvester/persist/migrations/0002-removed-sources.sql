-- Sources that left the policy: their records are withdrawn, and nothing remembers how far they were read.

-- A run tells how many records its source has: from 7 bytes a record of this index, not from 2 kB of the table.
CREATE INDEX record_alive ON record (source_id) WHERE NOT deleted;

ALTER TABLE record DROP CONSTRAINT record_deleted_reason_check;
-- NOT VALID: what is there satisfied the narrower rule, so that the table need not be read under a lock.
ALTER TABLE record ADD CONSTRAINT record_deleted_reason_check
  CHECK (deleted_reason IN ('tombstone', 'missing-from-snapshot', 'source-removed')) NOT VALID;

-- A watermark stands for records; it may be forgotten only when none of them is alive, whoever asks (law 1).
CREATE FUNCTION keep_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM record WHERE source_id = OLD.source_id AND NOT deleted) THEN
    RAISE EXCEPTION 'the cursor of source % stands for living records', OLD.source_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER keep_cursor BEFORE DELETE ON cursor FOR EACH ROW EXECUTE FUNCTION keep_cursor();
