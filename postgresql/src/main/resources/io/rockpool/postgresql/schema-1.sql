-- Version 1 of the schema, without its functions. "$." is replaced by its name. Two semicolons end a
-- statement.

-- One row. "id" is random. Changes of transactions before "pruned" may be missing in "changes". The
-- owner sweeps.
CREATE TABLE $.store (
  id bigint PRIMARY KEY DEFAULT hashtextextended(gen_random_uuid()::text, 0),
  version integer NOT NULL,
  pruned xid8 NOT NULL,
  owner bigint NOT NULL DEFAULT 0,
  owned_until timestamptz NOT NULL DEFAULT '-infinity'
);;

-- Numbers of spaces and generations. None is used twice, also not by another store of the same name:
-- the first one is random.
CREATE SEQUENCE $.ids;;
SELECT setval('$.ids', 1 + (hashtextextended(gen_random_uuid()::text, 0) & ~(3::bigint << 62)));;

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
-- Publications of all tables refuse deletes from a table without it. A key would cost each write.
ALTER TABLE $.changes REPLICA IDENTITY FULL;;
CREATE INDEX changes_xid ON $.changes (xid);;

INSERT INTO $.store (version, pruned) VALUES (1, pg_snapshot_xmin(pg_current_snapshot()))
