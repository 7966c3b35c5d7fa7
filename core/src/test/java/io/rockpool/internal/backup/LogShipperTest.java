package io.rockpool.internal.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.internal.rocksdb.files.LogRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogShipperTest {
  private static final long CHANGES = 5;

  /** Its changes are in a file of the log that begins when they are forced to disk. */
  private static class NewFileAtForce implements LogSource {
    private @Nullable LogShipper shipper;
    private long millis = 1_000;
    private int backups;
    private boolean begun;
    private boolean known;
    private boolean read;

    @Override
    public Full backUp() {
      return new Full(new LogMark(backups++ == 0 ? 0 : CHANGES, millis), 0);
    }

    @Override
    public void backUpSoon() {}

    @Override
    public void look() {
      known = begun;
      millis++;
      Objects.requireNonNull(shipper).mark(CHANGES, millis);
    }

    @Override
    public long force() {
      begun = true;
      return CHANGES;
    }

    @Override
    public @Nullable LogRecord read() {
      if (!known || read) {
        return null;
      }
      read = true;
      ByteBuffer batch = ByteBuffer.allocate(LogRecord.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      return new LogRecord(batch.putLong(1).putInt((int) CHANGES).array());
    }

    @Override
    public byte[] classes() {
      return new byte[0];
    }

    @Override
    public boolean mayHoldCollections() {
      return true;
    }
  }

  @Test
  void changesInAFileThatBeginsMeanwhileAreShipped(@TempDir Path directory) {
    NewFileAtForce source = new NewFileAtForce();
    ShippingOptions options = ShippingOptions.defaults().keep(Duration.ofDays(1));
    try (LogShipper shipper =
        LogShipper.begin(DirectoryTarget.at(directory), source, "timeline", options)) {
      source.shipper = shipper;
      shipper.backUpFirst();
      Instant called = Instant.ofEpochMilli(source.millis + 1);
      assertThat(shipper.shipRest()).isTrue();
      assertThat(source.read).isTrue();
      assertThat(shipper.until()).isAfterOrEqualTo(called);
    }
  }

  @Test
  void aNewBackupHasWhatTheLogDoesNotYield(@TempDir Path directory) {
    NewFileAtForce source =
        new NewFileAtForce() {
          @Override
          public @Nullable LogRecord read() {
            return null;
          }
        };
    ShippingOptions options = ShippingOptions.defaults().keep(Duration.ofDays(1));
    try (LogShipper shipper =
        LogShipper.begin(DirectoryTarget.at(directory), source, "timeline", options)) {
      source.shipper = shipper;
      shipper.backUpFirst();
      Instant called = Instant.ofEpochMilli(source.millis + 1);
      shipper.ship();
      assertThat(source.backups).isEqualTo(2);
      assertThat(shipper.until()).isAfterOrEqualTo(called);
    }
  }
}
