package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.bytes.Leb128;
import io.rockpool.internal.rocksdb.files.JournalFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdb.RocksDBException;

@Timeout(60)
final class WriteBufferTest {
  private static final int FAMILY = NumberedTarget.FAMILY;
  private static final int CAPACITY = 1 << 20;

  /** Six changes fill a part of this capacity. */
  private static final int SMALL = 256;

  @TempDir Path directory;
  private final NumberedTarget target = new NumberedTarget();
  private WriteBuffer buffer;

  @BeforeEach
  void open() {
    open(FAMILY + 1, CAPACITY);
  }

  /** Opens a buffer; the changes of these tests are entries if {@code entries} is their family. */
  private void open(int entries, int capacity) {
    if (buffer != null) {
      buffer.close();
    }
    JournalFile journal = JournalFile.create(directory, WriteBuffer.journalBytes(capacity));
    buffer = new WriteBuffer(target, journal, entries, capacity);
  }

  @AfterEach
  void close() {
    buffer.close();
  }

  private static byte[] bytes(long number) {
    byte[] bytes = new byte[Long.BYTES];
    BigEndian.putLong(bytes, 0, number);
    return bytes;
  }

  private void put(long key, long value) throws RocksDBException {
    if (!buffer.put(FAMILY, bytes(key), Long.BYTES, bytes(value), Long.BYTES)) {
      pass(key, value);
    }
  }

  /** A batch that passes the buffer. */
  private void pass(long key, long value) throws RocksDBException {
    byte[] batch = new byte[BatchFormat.HEADER_BYTES + 20];
    batch[BatchFormat.HEADER_BYTES] = BatchFormat.PUT;
    int at = Leb128.put(batch, BatchFormat.HEADER_BYTES + 1, FAMILY);
    at = Leb128.put(batch, at, Long.BYTES);
    System.arraycopy(bytes(key), 0, batch, at, Long.BYTES);
    at = Leb128.put(batch, at + Long.BYTES, Long.BYTES);
    System.arraycopy(bytes(value), 0, batch, at, Long.BYTES);
    BatchFormat.putCount(batch, 1);
    buffer.pass(batch, false);
  }

  private Long read(long key) throws RocksDBException {
    buffer.drain();
    synchronized (target) {
      return target.values.get(key);
    }
  }

  /** Like {@link #read}, without draining what is found in the buffer. */
  private Long find(long key) throws RocksDBException {
    byte[] found = buffer.find(FAMILY, bytes(key), Long.BYTES);
    if (found != null) {
      return found == BufferPart.DELETED ? null : Long.valueOf(BigEndian.getLong(found, 0));
    }
    synchronized (target) {
      return target.values.get(key);
    }
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

  @ParameterizedTest
  @MethodSource("io.rockpool.testing.Seeds#all")
  void anyMixIsReadLikeAMapAndIsNeverLost(long seed) throws RocksDBException {
    anyMix(new Random(seed));
  }

  /** The capacity is so small that parts are filled all the time. */
  @ParameterizedTest
  @MethodSource("io.rockpool.testing.Seeds#all")
  void anyMixOfEntriesIsReadLikeAMapAndIsNeverLost(long seed) throws RocksDBException {
    open(FAMILY, SMALL);
    anyMix(new Random(seed));
  }

  private void anyMix(Random random) throws RocksDBException {
    Map<Long, Long> model = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      long key = random.nextInt(500);
      switch (random.nextInt(20)) {
        case 0 -> {
          pass(key, step);
          model.put(key, (long) step);
        }
        case 1 -> buffer.drain();
        case 2 -> assertThat(buffer.tryDrain()).isTrue();
        case 3, 4 -> {
          if (buffer.delete(FAMILY, bytes(key), Long.BYTES)) {
            model.remove(key);
          } else {
            pass(key, step);
            model.put(key, (long) step);
          }
        }
        case 5 -> assertThat(read(key)).isEqualTo(model.get(key));
        case 7, 8 -> assertThat(find(key)).isEqualTo(model.get(key));
        case 6 -> {
          target.failsBefore = random.nextBoolean();
          target.failsAfter = random.nextBoolean();
          try {
            buffer.drain();
          } catch (RocksDBException e) {
            assertThat(target.failsBefore || target.failsAfter).isTrue();
          }
          target.failsBefore = false;
          target.failsAfter = false;
        }
        default -> {
          put(key, step);
          model.put(key, (long) step);
        }
      }
      if (step % 50 == 0) {
        assertThat(recoverable()).isEqualTo(model);
      }
    }
    buffer.drain();
    assertThat(target.values).isEqualTo(model);
    assertThat(JournalFile.read(directory)).isEmpty();
  }

  @Test
  void aLookupDrainsOnlyForAMerge() throws RocksDBException {
    put(1, 1);
    put(1, 2);
    assertThat(find(1)).isEqualTo(2);
    assertThat(buffer.delete(FAMILY, bytes(1), Long.BYTES)).isTrue();
    assertThat(find(1)).isNull();
    assertThat(buffer.find(FAMILY + 1, bytes(1), Long.BYTES)).isNull();
    assertThat(target.batches).isEmpty();
    byte[] merge = new byte[20];
    merge[0] = BatchFormat.MERGE;
    merge[1] = FAMILY;
    merge[2] = Long.BYTES;
    System.arraycopy(bytes(2), 0, merge, 3, Long.BYTES);
    merge[11] = Long.BYTES;
    assertThat(buffer.addAll(merge, 0, merge.length, 1, true)).isTrue();
    assertThat(buffer.find(FAMILY, bytes(2), Long.BYTES)).isNull();
    assertThat(target.batches).containsExactly(4L);
  }

  @Test
  void manyChangesReachTheDatabaseAsOneBatch() throws RocksDBException {
    for (int i = 0; i < 40; i++) {
      put(i, i);
    }
    assertThat(target.batches).isEmpty();
    buffer.drain();
    assertThat(target.batches).containsExactly(40L);
  }

  @Test
  void aBufferThatCannotBeDrainedTakesNoMoreAndKeepsWhatItHas() throws RocksDBException {
    target.failsBefore = true;
    Map<Long, Long> taken = new HashMap<>();
    try {
      for (long key = 0; true; key++) {
        put(key, key);
        taken.put(key, key);
      }
    } catch (RocksDBException e) {
      assertThat(e).hasMessage("before");
    }
    assertThat(recoverable()).isEqualTo(taken);
    target.failsBefore = false;
    assertThat(read(0)).isZero();
    put(-1, -1);
    taken.put(-1L, -1L);
    assertThat(recoverable()).isEqualTo(taken);
    buffer.drain();
    assertThat(target.values).isEqualTo(taken);
  }

  @Test
  void whatIsThrownWhileAnEntryIsAddedLeavesNothingOfIt() throws RocksDBException {
    open(FAMILY, CAPACITY);
    whatIsThrownWhileAChangeIsAddedLeavesNothingOfIt();
  }

  @Test
  void whatIsThrownWhileAChangeIsAddedLeavesNothingOfIt() throws RocksDBException {
    put(1, 1);
    Map<Long, Long> taken = new HashMap<>(Map.of(1L, 1L));
    for (long key = 2; key < 200; key++) {
      try {
        recurseAndPut(key);
      } catch (StackOverflowError e) {
        put(key, -key);
      }
      taken.put(key, Math.floorMod(read(key), 1_000) == key ? key : -key);
    }
    buffer.drain();
    assertThat(target.values).isEqualTo(taken);
  }

  /** Puts with all sorts of little stack left. */
  @SuppressWarnings("InfiniteRecursion") // until the stack is full
  private void recurseAndPut(long key) throws RocksDBException {
    try {
      recurseAndPut(key);
    } catch (StackOverflowError e) {
      buffer.put(FAMILY, bytes(key), Long.BYTES, bytes(key), Long.BYTES);
      throw e;
    }
  }

  @Test
  void whatTheJournalWasForcedForStaysInItUntilTheLogIsForced() throws Exception {
    put(1, 1);
    buffer.forceJournal();
    put(2, 2);
    buffer.drain();
    assertThat(target.syncs).isEqualTo(1);
    put(3, 3);
    buffer.drain();
    assertThat(target.syncs).isEqualTo(1);
  }

  @Test
  void afterAFaultOfTheJournalWritesPass() throws RocksDBException {
    put(1, 1);
    buffer.leaveJournal(new InternalError("a fault"));
    assertThat(buffer.put(FAMILY, bytes(2), Long.BYTES, bytes(2), Long.BYTES)).isFalse();
    pass(2, 3);
    assertThat(read(1)).isEqualTo(1);
    assertThat(read(2)).isEqualTo(3);
  }

  @Test
  void whatIsTooLargeOrSwitchedOffIsNotTaken() throws RocksDBException {
    byte[] large = new byte[WriteBuffer.ROWS_BYTES];
    assertThat(buffer.put(FAMILY, bytes(1), Long.BYTES, large, large.length)).isFalse();
    assertThat(buffer.delete(FAMILY, large, large.length)).isFalse();
    buffer.setOff(true);
    assertThat(buffer.put(FAMILY, bytes(1), Long.BYTES, bytes(1), Long.BYTES)).isFalse();
    buffer.setOff(false);
    put(1, 1);
    assertThat(buffer.lastSequence()).isEqualTo(1_001);
  }

  @Test
  void generationsAreKnownByTheStartOfTheirKeys() throws RocksDBException {
    byte[] key = Arrays.copyOf(bytes(77), 20);
    assertThat(buffer.put(FAMILY, key, key.length, key, 1)).isTrue();
    assertThat(buffer.mayHoldGeneration(FAMILY, bytes(77))).isTrue();
    assertThat(buffer.mayHoldGeneration(FAMILY, bytes(78))).isFalse();
    assertThat(buffer.mayHoldGeneration(FAMILY + 1, bytes(77))).isFalse();
    assertThat(buffer.find(FAMILY, key, key.length)).isNotNull();
    assertThat(buffer.find(FAMILY, key, key.length - 1)).isNull();
  }

  @Test
  void everyThreadReadsItsOwnWrites() throws Exception {
    int threads = 4;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Boolean>> writers = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int mine = thread;
        writers.add(
            () -> {
              Random random = new Random(mine);
              for (long step = 0; step < 20_000; step++) {
                long key = (long) random.nextInt(50) * threads + mine;
                if (random.nextInt(100) == 0) {
                  pass(key, step);
                } else {
                  put(key, step);
                }
                if (random.nextInt(10) == 0) {
                  assertThat(random.nextBoolean() ? read(key) : find(key)).isEqualTo(step);
                }
              }
              return true;
            });
      }
      for (Future<Boolean> done : executor.invokeAll(writers)) {
        assertThat(done.get()).isTrue();
      }
    } finally {
      executor.shutdownNow();
    }
    buffer.drain();
    assertThat(target.latest).isEqualTo(1_000 + threads * 20_000);
  }
}
