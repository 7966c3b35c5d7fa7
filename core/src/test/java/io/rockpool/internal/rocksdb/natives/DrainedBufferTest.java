package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.rocksdb.files.JournalFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** A buffer of entries that a thread drains, under concurrent writers and lookups. */
@Timeout(120)
final class DrainedBufferTest {
  private static final int FAMILY = NumberedTarget.FAMILY;
  private static final int LARGE = 1 << 20;
  private static final int CHANGE_BYTES = 20;

  @TempDir Path directory;
  private final NumberedTarget target = new NumberedTarget();
  private final ExecutorService drainer = Executors.newSingleThreadExecutor();
  private final ExecutorService others = Executors.newCachedThreadPool();
  private WriteBuffer buffer;

  private void open(int capacity) {
    openWithoutThread(capacity);
    buffer.drainOn(
        () -> {
          drainer.execute(this::drain);
          return true;
        });
  }

  private void openWithoutThread(int capacity) {
    JournalFile journal = JournalFile.create(directory, WriteBuffer.journalBytes(capacity));
    buffer = new WriteBuffer(target, journal, FAMILY, capacity);
  }

  private void drain() {
    try {
      buffer.drainFilled();
    } catch (RocksDBException e) {
      assertThat(e).hasMessage("before");
    }
  }

  @AfterEach
  void close() {
    others.shutdownNow();
    drainer.shutdownNow();
    if (buffer != null) {
      buffer.close();
    }
  }

  private static byte[] bytes(long number) {
    byte[] bytes = new byte[Long.BYTES];
    BigEndian.putLong(bytes, 0, number);
    return bytes;
  }

  private boolean put(long key, long value) throws RocksDBException {
    return buffer.put(FAMILY, bytes(key), Long.BYTES, bytes(value), Long.BYTES);
  }

  /** Puts a value at several keys at once. */
  private void putAll(long value, long... keys) throws RocksDBException {
    byte[] changes = changes(value, keys);
    assertThat(buffer.addAll(changes, 0, changes.length, keys.length, false)).isTrue();
  }

  private static byte[] changes(long value, long... keys) {
    byte[] changes = new byte[CHANGE_BYTES * keys.length];
    for (int i = 0; i < keys.length; i++) {
      int at = CHANGE_BYTES * i;
      changes[at] = BatchFormat.PUT;
      changes[at + 1] = FAMILY;
      changes[at + 2] = Long.BYTES;
      BigEndian.putLong(changes, at + 3, keys[i]);
      changes[at + 3 + Long.BYTES] = Long.BYTES;
      BigEndian.putLong(changes, at + 4 + Long.BYTES, value);
    }
    return changes;
  }

  private long find(long key) throws RocksDBException {
    byte[] found = buffer.find(FAMILY, bytes(key), Long.BYTES);
    if (found != null) {
      return BigEndian.getLong(found, 0);
    }
    synchronized (target) {
      return target.values.getOrDefault(key, 0L);
    }
  }

  private void assertDrained(Map<Long, Long> expected) throws RocksDBException {
    buffer.drain();
    synchronized (target) {
      assertThat(target.values).isEqualTo(expected);
    }
    assertThat(JournalFile.read(directory)).isEmpty();
  }

  /** Parts of a few changes are filled, drained and used again all the time. */
  @Test
  void noLookupMissesOrGoesBackWhilePartsAreUsedAgain() throws Exception {
    open(512);
    int keys = 8;
    long rounds = 60_000;
    AtomicLongArray acknowledged = new AtomicLongArray(keys);
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int writer = 0; writer < 2; writer++) {
      int mine = writer;
      tasks.add(
          () -> {
            for (long value = 1; value <= rounds; value++) {
              int key = (int) (value % (keys / 2)) * 2 + mine;
              assertThat(put(key, value)).isTrue();
              acknowledged.set(key, value);
            }
            return true;
          });
    }
    for (int reader = 0; reader < 2; reader++) {
      tasks.add(
          () -> {
            long[] seen = new long[keys];
            for (int step = 0; seen[0] + seen[1] < 2 * rounds - 2L * keys; step++) {
              int key = step % keys;
              long least = Math.max(seen[key], acknowledged.get(key));
              seen[key] = find(key);
              assertThat(seen[key]).isGreaterThanOrEqualTo(least);
            }
            return true;
          });
    }
    for (Future<Boolean> done : others.invokeAll(tasks)) {
      assertThat(done.get()).isTrue();
    }
    buffer.drain();
    assertThat(target.latest).isEqualTo(1_000 + 2 * rounds);
  }

  @Test
  void aBatchIsSeenAsAWholeByLookupsAndByViews() throws Exception {
    open(512);
    long rounds = 60_000;
    long[] keys = {1, 2, 1};
    Callable<Boolean> writer =
        () -> {
          for (long value = 1; value <= rounds; value++) {
            putAll(value, keys);
          }
          return true;
        };
    Callable<Boolean> looker =
        () -> {
          long second = 0;
          while (second < rounds) {
            long first = find(1);
            second = find(2);
            assertThat(second).isGreaterThanOrEqualTo(first);
          }
          return true;
        };
    AtomicLong complete = new AtomicLong();
    Callable<Boolean> viewer =
        () -> {
          while (find(1) < rounds) {
            WriteBuffer.View view = buffer.view();
            byte[] first = view.find(FAMILY, bytes(1), Long.BYTES);
            byte[] second = view.find(FAMILY, bytes(2), Long.BYTES);
            Map<Long, Long> stored;
            synchronized (target) {
              stored = Map.copyOf(target.values);
            }
            if (view.isComplete() && first != BufferPart.LOST && second != BufferPart.LOST) {
              complete.incrementAndGet();
              assertThat(first == null ? stored.get(1L) : (Long) BigEndian.getLong(first, 0))
                  .isEqualTo(second == null ? stored.get(2L) : (Long) BigEndian.getLong(second, 0));
            }
          }
          return true;
        };
    for (Future<Boolean> done : others.invokeAll(List.of(writer, looker, viewer))) {
      assertThat(done.get()).isTrue();
    }
    assertThat(complete.get()).isPositive();
    assertDrained(Map.of(1L, rounds, 2L, rounds));
  }

  @Test
  void aViewKnowsNeitherLaterChangesNorThatItsOwnWereDrained() throws RocksDBException {
    open(LARGE);
    assertThat(put(1, 1)).isTrue();
    WriteBuffer.View view = buffer.view();
    assertThat(put(1, 2)).isTrue();
    assertThat(put(2, 2)).isTrue();
    assertThat(view.find(FAMILY, bytes(1), Long.BYTES)).isEqualTo(bytes(1));
    assertThat(view.find(FAMILY, bytes(2), Long.BYTES)).isNull();
    assertThat(put(1, 3)).isTrue();
    assertThat(view.find(FAMILY, bytes(1), Long.BYTES)).isSameAs(BufferPart.LOST);
    assertThat(view.isComplete()).isTrue();
    buffer.drain();
    assertThat(view.isComplete()).isFalse();
    assertThat(find(1)).isEqualTo(3);
  }

  /** Reads go on meanwhile, also of what is being drained. */
  @Test
  void aWriterWaitsOnlyWhileBothPartsAreFull() throws Exception {
    int capacity = 64 << 10;
    open(capacity);
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(1);
    target.before =
        () -> {
          entered.countDown();
          await(stuck);
        };
    Map<Long, Long> expected = new HashMap<>();
    AtomicLong done = new AtomicLong();
    long all = 4L * ChangeIndex.maxChanges(capacity);
    Future<Boolean> writer =
        others.submit(
            () -> {
              for (long key = 0; key < all; key++) {
                assertThat(put(key, key + 1)).isTrue();
                done.incrementAndGet();
              }
              return true;
            });
    await(entered);
    // The first part begins smaller.
    int both = ChangeIndex.maxChanges(32 << 10) + ChangeIndex.maxChanges(capacity);
    while (done.get() < both) {
      Thread.onSpinWait();
    }
    for (long key = 0; key < both; key++) {
      assertThat(find(key)).isEqualTo(key + 1);
    }
    assertThat(target.values).isEmpty();
    assertThat(done.get()).isEqualTo(both);
    assertThat(writer.isDone()).isFalse();
    stuck.countDown();
    assertThat(writer.get()).isTrue();
    for (long key = 0; key < all; key++) {
      expected.put(key, key + 1);
    }
    assertDrained(expected);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A part that has grown reaches the database in two batches; the second of them fails. */
  @Test
  void aFailedDrainLosesNothingAndIsFoundByTheNextWriter() throws Exception {
    open(LARGE);
    target.batchesUntilFailure = 10;
    Map<Long, Long> taken = new HashMap<>();
    long key = 0;
    while (put(key, key + 1)) {
      taken.put(key, key + 1);
      key++;
    }
    for (long known = 0; known < key; known += 100) {
      assertThat(find(known)).isEqualTo(known + 1);
    }
    assertThat(recoverable()).isEqualTo(taken);
    byte[] passing = BatchFormat.encode(1, changes(77, key));
    assertThatThrownBy(() -> buffer.pass(passing, false)).hasMessage("before");
    assertThat(recoverable()).isEqualTo(taken);
    target.batchesUntilFailure = Integer.MAX_VALUE;
    buffer.pass(passing, false);
    taken.put(key, 77L);
    assertThat(recoverable()).isEqualTo(taken);
    assertThat(put(-1, -1)).isTrue();
    taken.put(-1L, -1L);
    assertThat(recoverable()).isEqualTo(taken);
    assertDrained(taken);
    long changes = target.batches.stream().mapToLong(Long::longValue).sum();
    assertThat(changes).as("each once").isEqualTo(taken.size());
  }

  /** What a crash now would find: the database, and the frames of the journal that follow it. */
  private Map<Long, Long> recoverable() {
    Map<Long, Long> found = new HashMap<>(target.values);
    long latest = target.latestSequence();
    for (JournalFile.Frame frame : JournalFile.read(directory)) {
      if (frame.sequence() == latest + 1) {
        NumberedTarget.take(BatchFormat.encode(frame.count(), frame.changes()), found);
        latest += frame.count();
      }
    }
    return found;
  }

  /** A crash between two batches of a part replays the others. */
  @Test
  void theJournalFollowsThePartlyDrainedPart() throws Exception {
    openWithoutThread(LARGE);
    Map<Long, Long> taken = new HashMap<>();
    List<Map<Long, Long>> crashes = new ArrayList<>();
    for (long key = 0; key < 110_000; key++) {
      assertThat(put(key % 5_000, key + 1)).isTrue();
      taken.put(key % 5_000, key + 1);
    }
    target.before = () -> crashes.add(recoverable());
    buffer.drain();
    assertThat(crashes)
        .hasSizeGreaterThan(3)
        .allSatisfy(found -> assertThat(found).isEqualTo(taken));
    assertThat(target.values).isEqualTo(taken);
  }

  /** Then a restore to a moment may cut the log between any two changes. */
  @Test
  void theOrderOfChangesIsKeptOnRequest() throws Exception {
    openWithoutThread(LARGE);
    for (long key = 100; key > 0; key--) {
      assertThat(put(key, key)).isTrue();
    }
    buffer.drain();
    assertThat(target.keys).isSorted();
    target.keys.clear();
    buffer.keepOrder();
    for (long key = 100; key > 0; key--) {
      assertThat(put(key, key)).isTrue();
    }
    buffer.drain();
    assertThat(target.keys).isSortedAccordingTo(Comparator.reverseOrder()).hasSize(100);
  }

  /** Scans read soon what was written. */
  @Test
  void rowsAreDrainedSoonAlsoBehindManyEntries() throws Exception {
    open(LARGE);
    for (long key = 0; key < 500; key++) {
      assertThat(put(key, key)).isTrue();
    }
    assertThat(target.batches).isEmpty();
    byte[] row = changes(5, 5);
    assertThat(buffer.addAll(row, 0, row.length, 1, true)).isTrue();
    while (!buffer.isEmpty()) {
      Thread.onSpinWait();
    }
    assertThat(target.latestSequence()).isEqualTo(1_000 + 501);
  }

  @Test
  void theCapacityFollowsTheMemoryBudget() {
    assertThat(WriteBuffer.capacity(0)).isEqualTo(64 << 10);
    assertThat(WriteBuffer.capacity(8 << 20)).isEqualTo(128 << 10);
    assertThat(WriteBuffer.capacity(100 << 20)).isEqualTo(1 << 20);
    assertThat(WriteBuffer.capacity(1L << 40)).isEqualTo(1 << 20);
  }
}
