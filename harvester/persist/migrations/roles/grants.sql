-- What each role may do, stated in full: run after every migration by whoever owns the tables.
-- The writer has exactly the verbs of a run: no DDL, no DELETE but of its own sweep, no change of the migration list.
GRANT SELECT ON migration, source, record, cursor, run, quarantine, endpoint_state, source_lease, host_slot, host_rate
  TO harvest_reader, harvest_writer;
GRANT INSERT, UPDATE ON source, record, cursor, run, quarantine, endpoint_state, source_lease, host_slot, host_rate
  TO harvest_writer;
GRANT SELECT, INSERT, DELETE ON sweep_stage TO harvest_writer;
