package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.EngineInternals;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.testing.StoreExtension;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When the embedded engine lets go of what a snapshot holds. */
@Timeout(60)
final class OpenSnapshotsTest {
  private static final byte[] KEY = {1};
  private static final long LOOK_NANOS = 10_000_000;

  @RegisterExtension final StoreExtension<RocksDbEngine> store = StoreExtension.ofEngine();

  private RocksDbEngine engine;
  private Space space;

  @BeforeEach
  void open() {
    engine = store.get();
    space = engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
    space.put(KEY, KEY, KEY, Expiry.NEVER);
  }

  private int open(String property) throws Exception {
    return Integer.parseInt(
        EngineInternals.of(engine).database().nativeDatabase().getProperty(property));
  }

  private void assertOpen(int count) throws Exception {
    assertThat(EngineInternals.of(engine).handles().snapshots().count()).isEqualTo(count);
    assertThat(open("rocksdb.num-snapshots")).isEqualTo(count);
  }

  @Test
  void aClosedOneIsReleased() throws Exception {
    SpaceSnapshot one = space.snapshot();
    SpaceSnapshot other = space.snapshot();
    assertOpen(2);
    one.close();
    assertOpen(1);
    other.close();
    other.close();
    assertOpen(0);
  }

  /** A reader may close the snapshot it reads: it is released when the read is over. */
  @Test
  void oneThatIsReadIsReleasedAfterTheRead() throws Exception {
    SpaceSnapshot snapshot = space.snapshot();
    Integer during =
        snapshot.get(
            KEY,
            KEY,
            (bytes, offset, length, expiryMillis) -> {
              snapshot.close();
              try {
                return open("rocksdb.num-snapshots");
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    assertThat(during).isEqualTo(1);
    assertOpen(0);
  }

  @Test
  void oneThatNoOneCanReachIsReleased() throws Exception {
    Cursor cursor = forgottenButForItsCursor();
    System.gc();
    assertThat(cursor.next()).isTrue();
    assertThat(cursor.value()).isEqualTo(KEY);
    cursor = null;
    while (EngineInternals.of(engine).handles().snapshots().count() > 0) {
      System.gc();
      LockSupport.parkNanos(LOOK_NANOS);
    }
    assertOpen(0);
  }

  private Cursor forgottenButForItsCursor() {
    space.snapshot();
    return space.snapshot().scanAll();
  }
}
