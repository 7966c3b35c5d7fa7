package io.rockpool.engine.rocksdb;

import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.internal.backup.LogSource;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.rows.StoreParts;
import java.time.Instant;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The log of an open store, as a timeline that can be shipped to one target at a time. */
final class StoreLog implements AutoCloseable {
  private final StoreParts parts;
  private final StoreDirectory directory;
  private final String timeline =
      HexFormat.of().toHexDigits(UUID.randomUUID().getMostSignificantBits());
  private final AtomicReference<@Nullable LogShipping> shipping = new AtomicReference<>();
  private long nowMillis;

  StoreLog(StoreParts parts, StoreDirectory directory) {
    this.parts = parts;
    this.directory = directory;
  }

  /** Names this use of the store. */
  String timeline() {
    return timeline;
  }

  /** The time by the store's clock. Never goes back, even if the clock is set back. */
  synchronized Instant now() {
    nowMillis = Math.max(nowMillis, parts.clock().millis());
    return Instant.ofEpochMilli(nowMillis);
  }

  /** Ships the log, after {@code backUp} has made a backup. */
  Shipping ship(
      BackupTarget target,
      ShippingOptions options,
      Function<BackupOptions, LogSource.Full> backUp) {
    parts.guard().check();
    LogShipping begun = new LogShipping(parts, directory, backUp, options, this::now, this::ended);
    if (!shipping.compareAndSet(null, begun)) {
      throw new IllegalStateException(
          "The log of the store at "
              + directory.path()
              + " is being shipped already. Close that shipping first, or use it.");
    }
    boolean started = false;
    try {
      // A moment may be between any two changes.
      parts.writePath().keepOrder();
      begun.start(target, timeline);
      started = true;
      return begun;
    } finally {
      if (!started) {
        shipping.set(null);
      }
    }
  }

  private void ended(LogShipping ended) {
    boolean unused = shipping.compareAndSet(ended, null);
  }

  /** Looks at the log if it is shipped; called twice a second. */
  void look() {
    LogShipping running = shipping.get();
    if (running != null) {
      running.lookNow();
    }
  }

  /** The newest moment that was shipped, or null. */
  @Nullable Instant shippedUntil() {
    LogShipping running = shipping.get();
    return running == null ? null : running.shippedUntil();
  }

  @Override
  public void close() {
    LogShipping running = shipping.get();
    if (running != null) {
      running.close();
    }
  }
}
