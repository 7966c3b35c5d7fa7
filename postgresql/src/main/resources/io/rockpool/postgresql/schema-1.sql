-- Version 1 of the schema. "$." is replaced by its name. Two semicolons end a statement.

-- One row. Changes of transactions before "pruned" may be missing in "changes". The owner sweeps.
CREATE TABLE $.store (
  version integer NOT NULL,
  pruned xid8 NOT NULL,
  owner bigint NOT NULL DEFAULT 0,
  owned_until timestamptz NOT NULL DEFAULT '-infinity'
);;

-- Numbers of spaces and generations. None is used twice.
CREATE SEQUENCE $.ids;;

-- What each write needs of a space. A drop or reset ends the id, a clear ends the generation.
CREATE TABLE $.spaces (
  id bigint PRIMARY KEY,
  generation bigint NOT NULL,
  layout smallint NOT NULL,
  expires bigint NOT NULL
) WITH (fillfactor = 50);;

-- The rest of a space. It is apart, so that opening a space does not conflict with transactions.
CREATE TABLE $.space_info (
  name text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  attribute_names text[] NOT NULL,
  attribute_values text[] NOT NULL,
  created bigint NOT NULL,
  opened bigint NOT NULL,
  resets bigint NOT NULL
);;

-- Layout 1: rows of one record. Each write sets another version.
CREATE TABLE $.entries (
  generation bigint NOT NULL,
  hash_key bytea NOT NULL,
  version bigint NOT NULL,
  expiry bigint NOT NULL,
  value bytea NOT NULL,
  PRIMARY KEY (generation, hash_key)
) WITH (fillfactor = 80);;
ALTER TABLE $.entries ALTER COLUMN value SET STORAGE EXTERNAL;;
CREATE INDEX entries_expiry ON $.entries (expiry) WHERE expiry < 9223372036854775807;;

-- Layout 0: rows of many records. Each write of a row sets another revision in its head.
CREATE TABLE $.heads (
  generation bigint NOT NULL,
  hash_key bytea NOT NULL,
  revision bigint NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (generation, hash_key)
) WITH (fillfactor = 50);;
CREATE TABLE $.records (
  generation bigint NOT NULL,
  hash_key bytea NOT NULL,
  sort_key bytea NOT NULL,
  expiry bigint NOT NULL,
  counted boolean NOT NULL,
  value bytea NOT NULL,
  PRIMARY KEY (generation, hash_key, sort_key)
) WITH (fillfactor = 80);;
ALTER TABLE $.records ALTER COLUMN value SET STORAGE EXTERNAL;;
CREATE INDEX records_expiry ON $.records (expiry) WHERE expiry < 9223372036854775807;;

-- Generations whose records are to be deleted, and the transaction that ended each.
CREATE TABLE $.dead (
  generation bigint PRIMARY KEY,
  layout smallint NOT NULL,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id()
);;

-- What other handles need to know. kind 0: a row was written; 1: all of a space; 2: its end.
-- The name is that of an ended space, or the token of a transaction.
CREATE TABLE $.changes (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  origin bigint NOT NULL,
  space bigint NOT NULL,
  kind smallint NOT NULL,
  hash_key bytea,
  name text
);;
CREATE INDEX changes_xid ON $.changes (xid);;

-- Clears a space if "clear" says so, if it has expired, or if its new expiry has passed. Returns
-- false if there is no such space.
CREATE FUNCTION $.renew_space(
  p_space bigint, p_now bigint, p_clear boolean, p_expires bigint, p_origin bigint
) RETURNS boolean LANGUAGE plpgsql AS $body$
DECLARE
  s record;
  expired boolean;
  next_expires bigint;
BEGIN
  SELECT generation, layout, expires INTO s FROM $.spaces WHERE id = p_space FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  expired := s.expires <= p_now;
  IF NOT p_clear AND NOT expired AND p_expires IS NULL THEN
    RETURN true;
  END IF;
  next_expires := coalesce(p_expires, CASE WHEN expired THEN 9223372036854775807 ELSE s.expires END);
  IF next_expires <= p_now THEN
    next_expires := 9223372036854775807;
    expired := true;
  END IF;
  IF p_clear OR expired THEN
    INSERT INTO $.dead (generation, layout) VALUES (s.generation, s.layout);
    s.generation := nextval('$.ids');
  END IF;
  UPDATE $.spaces SET generation = s.generation, expires = next_expires WHERE id = p_space;
  INSERT INTO $.changes (origin, space, kind) VALUES (p_origin, p_space, 1);
  RETURN true;
END
$body$;;

-- Writes or deletes one entry, perhaps on condition, and returns the one before. made: -1 if the
-- space is gone or has expired, 0 if the condition does not hold, else 1.
CREATE FUNCTION $.write_entry(
  p_space bigint, p_now bigint, p_hash bytea, p_sort bytea, p_value bytea, p_expiry bigint,
  p_counted boolean, p_conditional boolean, p_expected bytea, p_expected_expiry bigint,
  p_version bigint, p_origin bigint,
  OUT made integer, OUT old_value bytea, OUT old_expiry bigint
) LANGUAGE plpgsql AS $body$
DECLARE
  g bigint;
  o record;
  there boolean;
BEGIN
  made := -1;
  SELECT generation INTO g FROM $.spaces WHERE id = p_space AND expires > p_now;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  LOOP
    SELECT value, expiry INTO o FROM $.entries
      WHERE generation = g AND hash_key = p_hash FOR UPDATE;
    there := FOUND;
    IF there AND o.expiry > p_now THEN
      old_value := o.value;
      old_expiry := o.expiry;
    END IF;
    made := 0;
    IF p_conditional AND (old_value IS DISTINCT FROM p_expected
        OR (old_value IS NOT NULL AND old_expiry <> p_expected_expiry)) THEN
      RETURN;
    END IF;
    made := 1;
    IF p_value IS NULL THEN
      IF there THEN
        DELETE FROM $.entries WHERE generation = g AND hash_key = p_hash;
      END IF;
    ELSIF there THEN
      UPDATE $.entries SET version = p_version, expiry = p_expiry, value = p_value
        WHERE generation = g AND hash_key = p_hash;
    ELSE
      INSERT INTO $.entries VALUES (g, p_hash, p_version, p_expiry, p_value) ON CONFLICT DO NOTHING;
      CONTINUE WHEN NOT FOUND;
    END IF;
    INSERT INTO $.changes (origin, space, kind, hash_key) VALUES (p_origin, p_space, 0, p_hash);
    RETURN;
  END LOOP;
END
$body$;;

-- The same for a record of a row. It locks the head first, and reads in a later statement.
CREATE FUNCTION $.write_record(
  p_space bigint, p_now bigint, p_hash bytea, p_sort bytea, p_value bytea, p_expiry bigint,
  p_counted boolean, p_conditional boolean, p_expected bytea, p_expected_expiry bigint,
  p_version bigint, p_origin bigint,
  OUT made integer, OUT old_value bytea, OUT old_expiry bigint
) LANGUAGE plpgsql AS $body$
DECLARE
  g bigint;
  o record;
  there boolean;
  delta integer := 0;
BEGIN
  made := -1;
  SELECT generation INTO g FROM $.spaces WHERE id = p_space AND expires > p_now;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  LOOP
    PERFORM 1 FROM $.heads WHERE generation = g AND hash_key = p_hash FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO $.heads VALUES (g, p_hash, p_version, 0) ON CONFLICT DO NOTHING;
    EXIT WHEN FOUND;
  END LOOP;
  SELECT value, expiry, counted INTO o FROM $.records
    WHERE generation = g AND hash_key = p_hash AND sort_key = p_sort;
  there := FOUND;
  IF there AND o.expiry > p_now THEN
    old_value := o.value;
    old_expiry := o.expiry;
  END IF;
  made := 0;
  IF p_conditional AND (old_value IS DISTINCT FROM p_expected
      OR (old_value IS NOT NULL AND old_expiry <> p_expected_expiry)) THEN
    RETURN;
  END IF;
  made := 1;
  IF there AND o.counted THEN
    delta := -1;
  END IF;
  IF p_value IS NULL THEN
    IF there THEN
      DELETE FROM $.records WHERE generation = g AND hash_key = p_hash AND sort_key = p_sort;
    END IF;
  ELSE
    IF p_counted THEN
      delta := delta + 1;
    END IF;
    IF there THEN
      UPDATE $.records SET expiry = p_expiry, counted = p_counted, value = p_value
        WHERE generation = g AND hash_key = p_hash AND sort_key = p_sort;
    ELSE
      INSERT INTO $.records VALUES (g, p_hash, p_sort, p_expiry, p_counted, p_value);
    END IF;
  END IF;
  UPDATE $.heads SET revision = p_version, count = count + delta
    WHERE generation = g AND hash_key = p_hash;
  INSERT INTO $.changes (origin, space, kind, hash_key) VALUES (p_origin, p_space, 0, p_hash);
END
$body$;;

INSERT INTO $.store (version, pruned) VALUES (1, pg_snapshot_xmin(pg_current_snapshot()))
