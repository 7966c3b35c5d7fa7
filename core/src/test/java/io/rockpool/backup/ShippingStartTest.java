package io.rockpool.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.error.StoreClosedException;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store whose log begins to be shipped to a target that takes its time, and interrupts. */
final class ShippingStartTest {
  @TempDir Path parent;

  /** A target whose first call of one method waits. */
  private static final class Slow implements BackupTarget {
    private final BackupTarget target;
    private final String method;
    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);

    private Slow(BackupTarget target, String method) {
      this.target = target;
      this.method = method;
    }

    private void pass(String now) throws IOException {
      if (now.equals(method)) {
        called.countDown();
        try {
          Threads.await(goesOn);
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
    }

    @Override
    public Closeable lock(String name) throws IOException {
      pass("lock " + name);
      return target.lock(name);
    }

    @Override
    public void put(String name, long bytes, InputStream content) throws IOException {
      pass("put");
      target.put(name, bytes, content);
    }

    @Override
    public InputStream get(String name) throws IOException {
      return target.get(name);
    }

    @Override
    public Map<String, Long> list(String folder) throws IOException {
      return target.list(folder);
    }

    @Override
    public void delete(String name) throws IOException {
      target.delete(name);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock log", "lock backups", "put"})
  void aStoreIsClosedWhileItsShippingBegins(String method) throws Exception {
    BackupFiles files = new BackupFiles(parent);
    Slow target = new Slow(files.target(), method);
    Rockpool pool = Rockpool.open(files.store());
    BackupFiles.fill(pool, 0, 10);
    Running<Shipping> beginning =
        Threads.start(() -> pool.backups().ship(target, ShippingOptions.defaults()));
    Threads.await(target.called);
    assertThat(pool.state().statistics().orElseThrow().shippedUntil()).isEmpty();
    Running<Boolean> closing =
        Threads.start(
            () -> {
              pool.close();
              return true;
            });
    closing.awaitWaiting();
    target.goesOn.countDown();
    assertThatThrownBy(beginning::result)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(StoreClosedException.class);
    assertThat(closing.result()).isTrue();
    Instant moment;
    try (Rockpool again = Rockpool.open(files.store());
        Shipping shipping = again.backups().ship(files.target(), ShippingOptions.defaults())) {
      BackupFiles.fill(again, 10, 20);
      shipping.ship();
      moment = shipping.until();
    }
    try (Rockpool restored = StoreBackups.open(files.target(), moment)) {
      assertThat(BackupFiles.map(restored)).hasSize(20);
    }
  }

  @Test
  void anInterruptedThreadShipsTheRest() {
    BackupFiles files = new BackupFiles(parent);
    try (Rockpool pool = Rockpool.open(files.store())) {
      Shipping shipping = pool.backups().ship(files.target(), ShippingOptions.defaults());
      BackupFiles.fill(pool, 0, 10);
      Thread.currentThread().interrupt();
      shipping.close();
      assertThat(Thread.interrupted()).isTrue();
      try (Rockpool restored = StoreBackups.open(files.target(), shipping.until())) {
        assertThat(BackupFiles.map(restored)).hasSize(10);
      }
    }
  }
}
