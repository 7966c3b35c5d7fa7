-- The functions of version 1 of the schema. Their bodies name the schema, so their names end with a
-- number of its name, in place of "$": none of a schema that was renamed since is called. "$." is
-- replaced by the name. Two semicolons end a statement.

-- Clears a space if "clear" says so, if it has expired, or if its new expiry has passed. Returns
-- false if there is no such space.
CREATE OR REPLACE FUNCTION $.renew_space_$(
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
CREATE OR REPLACE FUNCTION $.write_entry_$(
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
CREATE OR REPLACE FUNCTION $.write_record_$(
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
$body$
