package io.rockpool.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.Threads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions that a thread begins and ends by calls. */
final class BoundTransactionTest {
  private static final byte[] A = {'a'};
  private static final byte[] B = {'b'};
  private static final byte[] NONE = {};

  @TempDir Path directory;
  private @Nullable Engine engine;
  private @Nullable Space space;

  /** Conflicts are these; time never runs out. */
  private static final class Conflict extends RuntimeException implements BoundRules {
    private static final long serialVersionUID = 1L;

    @Override
    public void checkTime() {}

    @Override
    public RuntimeException conflict(String message) {
      return this;
    }
  }

  private void open(boolean embedded) {
    engine =
        embedded
            ? RocksDbEngine.open(directory, RocksDbOptions.builder().build())
            : MemoryEngine.open();
    space = engine.create(new SpaceSpec("space", Layout.ROWS, Map.of()));
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  private Engine engine() {
    return Objects.requireNonNull(engine);
  }

  private BoundTransaction begin() {
    return EngineUpkeep.of(engine()).beginTransaction(new Conflict());
  }

  private void put(byte[] hashKey, int value) {
    Objects.requireNonNull(space).put(hashKey, NONE, new byte[] {(byte) value}, Long.MAX_VALUE);
  }

  private int get(byte[] hashKey) {
    Integer found =
        Objects.requireNonNull(space)
            .get(hashKey, NONE, (bytes, offset, length, expiry) -> (int) bytes[offset]);
    return found == null ? -1 : found;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itCommitsOrRollsBack(boolean embedded) {
    open(embedded);
    List<String> done = new ArrayList<>();
    BoundTransaction first = begin();
    put(A, 1);
    engine().afterCommit(() -> done.add("committed"));
    assertThat(engine().inTransaction()).isTrue();
    assertThat(first.commit()).isTrue();
    assertThat(done).containsExactly("committed");
    assertThat(engine().inTransaction()).isFalse();
    BoundTransaction second = begin();
    put(A, 2);
    engine().afterCommit(() -> done.add("never"));
    second.rollback();
    second.rollback();
    assertThat(get(A)).isEqualTo(1);
    assertThat(done).containsExactly("committed");
    assertThatThrownBy(second::commit).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSavepointUndoesWhatFollows(boolean embedded) {
    open(embedded);
    put(A, 1);
    BoundTransaction transaction = begin();
    put(A, 2);
    TransactionNotes.Savepoint savepoint = transaction.savepoint();
    put(A, 3);
    put(B, 3);
    transaction.rollbackTo(savepoint);
    assertThat(get(A)).isEqualTo(2);
    assertThat(transaction.commit()).isTrue();
    assertThat(get(A)).isEqualTo(2);
    assertThat(get(B)).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSuspendedTransactionContinues(boolean embedded) throws Exception {
    open(embedded);
    BoundTransaction outer = begin();
    put(A, 1);
    outer.suspend();
    assertThat(engine().inTransaction()).isFalse();
    assertThat(get(A)).isEqualTo(-1);
    BoundTransaction inner = begin();
    put(B, 2);
    assertThat(inner.commit()).isTrue();
    assertThatThrownBy(outer::commit).isInstanceOf(IllegalStateException.class);
    outer.resume();
    assertThat(get(A)).isEqualTo(1);
    assertThatThrownBy(() -> Threads.start(outer::commit).result())
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(outer.commit()).isTrue();
    assertThat(get(A)).isEqualTo(1);
    assertThat(get(B)).isEqualTo(2);
  }

  @Test
  void aSuspendedTransactionKeepsItsRows() {
    open(true);
    BoundTransaction outer = begin();
    put(A, 1);
    outer.suspend();
    assertThatThrownBy(() -> put(A, 2)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> engine().atomically(() -> get(B)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(engine()::close).isInstanceOf(IllegalStateException.class);
    BoundTransaction inner = begin();
    assertThatThrownBy(() -> put(A, 2)).isInstanceOf(Conflict.class);
    assertThatThrownBy(() -> put(B, 2)).isInstanceOf(Conflict.class);
    assertThat(inner.commit()).isFalse();
    outer.resume();
    assertThat(outer.commit()).isTrue();
    put(A, 3);
    assertThat(get(A)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itBeginsOutsideOfOthers(boolean embedded) {
    open(embedded);
    assertThatThrownBy(() -> engine().atomically(this::begin))
        .isInstanceOf(IllegalStateException.class);
    BoundTransaction transaction = begin();
    assertThatThrownBy(this::begin).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(engine()::close).isInstanceOf(IllegalStateException.class);
    engine()
        .atomically(
            () -> {
              put(A, 1);
              return 1;
            });
    transaction.rollback();
    assertThat(get(A)).isEqualTo(-1);
  }

  @Test
  void aCommitThatConflictsChangesNothing() throws Exception {
    open(false);
    put(A, 1);
    BoundTransaction transaction = begin();
    put(B, get(A) + 1);
    Threads.start(
            () -> {
              put(A, 5);
              return 0;
            })
        .result();
    assertThat(transaction.commit()).isFalse();
    assertThat(get(B)).isEqualTo(-1);
  }

  @Test
  void anOpeningIsDoneByAnotherThread() {
    try (Rockpool pool = Rockpool.inMemory()) {
      BoundTransaction transaction = Internals.store(pool).beginTransaction(new Conflict());
      assertThatThrownBy(() -> pool.counter("a")).isInstanceOf(IllegalStateException.class);
      Thread mine = Thread.currentThread();
      Thread opener = Internals.store(pool).outsideTransaction(Thread::currentThread);
      assertThat(opener).isNotEqualTo(mine);
      transaction.rollback();
      assertThat(Internals.store(pool).outsideTransaction(Thread::currentThread)).isEqualTo(mine);
    }
  }
}
