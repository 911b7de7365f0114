-- Run once by an administrator of the database (superuser or CREATEROLE and owner of the schema). May be run again.
-- Log-in roles are yours: GRANT harvest_writer TO the_user_of_the_pods.
DO $$
DECLARE
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(7231001);
  FOREACH name IN ARRAY ARRAY['harvest_owner', 'harvest_writer', 'harvest_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', name);
    END IF;
  END LOOP;
  -- To hand the tables over, and to migrate as the owner later, one must be a member.
  IF NOT pg_has_role(current_user, 'harvest_owner', 'MEMBER') THEN
    EXECUTE format('GRANT harvest_owner TO %I', current_user);
  END IF;
  EXECUTE format('GRANT USAGE, CREATE ON SCHEMA %I TO harvest_owner', current_schema());
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO harvest_writer, harvest_reader', current_schema());
  FOREACH name IN ARRAY ARRAY['migration', 'source', 'record', 'cursor', 'run', 'quarantine', 'endpoint_state',
                              'source_lease', 'host_slot', 'host_rate', 'sweep_stage'] LOOP
    IF to_regclass(name) IS NOT NULL THEN
      EXECUTE format('ALTER TABLE %I OWNER TO harvest_owner', name);
    END IF;
  END LOOP;
  IF to_regprocedure('keep_watermark()') IS NOT NULL THEN
    ALTER FUNCTION keep_watermark() OWNER TO harvest_owner;
  END IF;
  IF to_regprocedure('keep_cursor()') IS NOT NULL THEN
    ALTER FUNCTION keep_cursor() OWNER TO harvest_owner;
  END IF;
END $$;
