-- What each role may do, stated in full: run after every migration by whoever owns the tables.
-- The writer has exactly the verbs of a run: no DDL, no change of the migration list, no DELETE but of its own sweep and
-- of cursors that stand for no living record (trigger keep_cursor).
GRANT SELECT ON migration, source, record, cursor, run, quarantine, endpoint_state, source_lease, host_slot, host_rate
  TO harvest_reader, harvest_writer;
GRANT INSERT, UPDATE ON source, record, cursor, run, quarantine, endpoint_state, source_lease, host_slot, host_rate
  TO harvest_writer;
GRANT SELECT, INSERT, DELETE ON sweep_stage TO harvest_writer;
GRANT DELETE ON cursor TO harvest_writer;
