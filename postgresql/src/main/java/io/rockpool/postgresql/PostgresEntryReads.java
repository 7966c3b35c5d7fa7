package io.rockpool.postgresql;

import io.rockpool.engine.Direction;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a row of one record, once. */
final class PostgresEntryReads implements RowSource {
  /** The entry: its version, or null if there is none, and its record, or null if it is expired. */
  record Entry(long generation, @Nullable Long version, @Nullable KeptRecord record) {}

  private final EntryStatements statements;
  private final Connections connections;
  private final RecordStatements.Scope at;
  private final byte[] hashKey;
  private @Nullable Entry entry;

  PostgresEntryReads(
      EntryStatements statements,
      Connections connections,
      RecordStatements.Scope at,
      byte[] hashKey) {
    this.statements = statements;
    this.connections = connections;
    this.at = at;
    this.hashKey = hashKey;
  }

  private Entry entry() {
    Entry known = entry;
    if (known == null) {
      known = connections.read(connection -> statements.read(connection, at, hashKey));
      entry = known;
    }
    return known;
  }

  private List<KeptRecord> record() {
    KeptRecord record = entry().record();
    return record == null ? List.of() : List.of(record);
  }

  @Override
  public List<KeptRecord> getAll(Collection<byte[]> sortKeys) {
    List<KeptRecord> found = record();
    return sortKeys.isEmpty() ? List.of() : found;
  }

  @Override
  public List<KeptRecord> scan(SortRange range, Direction direction, long limit) {
    List<KeptRecord> found = record();
    return limit > 0 && range.contains(Space.NO_SORT_KEY) ? found : List.of();
  }

  @Override
  public List<KeptRecord> page(SortRange range, Direction direction, long limit, long maxBytes) {
    return scan(range, direction, limit);
  }

  @Override
  public long count() {
    return 0;
  }

  @Override
  public long countedAmong(Collection<byte[]> sortKeys) {
    return 0;
  }

  @Override
  public long generation() {
    return entry().generation();
  }

  @Override
  public @Nullable Long revision() {
    return entry().version();
  }

  @Override
  public boolean isPinned() {
    return entry != null;
  }

  @Override
  public boolean isDoomed() {
    return false;
  }
}
