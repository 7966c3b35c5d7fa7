package io.rockpool.postgresql;

import io.rockpool.engine.Direction;
import io.rockpool.engine.SortRange;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a row of many records. Each read is one statement that also returns the row's head. */
final class PostgresRowReads implements RowSource {
  /** What one statement returned. */
  record Page(long generation, @Nullable Long revision, long count, List<KeptRecord> records) {}

  private final RowStatements statements;
  private final Connections connections;
  private final long space;
  private final byte[] hashKey;
  private final long nowMillis;
  private @Nullable Page first;
  private boolean doomed;

  PostgresRowReads(
      RowStatements statements,
      Connections connections,
      long space,
      byte[] hashKey,
      long nowMillis) {
    this.statements = statements;
    this.connections = connections;
    this.space = space;
    this.hashKey = hashKey;
    this.nowMillis = nowMillis;
  }

  private Page read(RowQuery query) {
    Page page =
        connections.read(
            connection -> statements.read(connection, space, nowMillis, hashKey, query));
    Page known = first;
    if (known == null) {
      first = page;
    } else if (doomed
        || known.generation != page.generation
        || !Objects.equals(known.revision, page.revision)) {
      doomed = true;
      throw connections.conflict("A row changed while a transaction read it");
    }
    return page;
  }

  @Override
  public List<KeptRecord> getAll(Collection<byte[]> sortKeys) {
    return read(RowQuery.keys(sortKeys)).records();
  }

  @Override
  public List<KeptRecord> scan(SortRange range, Direction direction, long limit) {
    return read(RowQuery.range(range, direction, limit)).records();
  }

  @Override
  public List<KeptRecord> page(SortRange range, Direction direction, long limit, long maxBytes) {
    RowQuery query =
        limit == 1
            ? RowQuery.range(range, direction, limit)
            : RowQuery.page(range, direction, limit, maxBytes);
    return read(query).records();
  }

  @Override
  public long count() {
    return pinned().count();
  }

  @Override
  public long countedAmong(Collection<byte[]> sortKeys) {
    return sortKeys.isEmpty() ? 0 : read(RowQuery.counted(sortKeys)).records().size();
  }

  @Override
  public long generation() {
    return pinned().generation();
  }

  @Override
  public @Nullable Long revision() {
    return pinned().revision();
  }

  private Page pinned() {
    pin();
    return Objects.requireNonNull(first);
  }

  @Override
  public boolean isPinned() {
    return first != null;
  }

  @Override
  public boolean isDoomed() {
    return doomed;
  }
}
