package io.rockpool.backup;

import java.time.Duration;
import java.util.Objects;

/**
 * Options of shipping a store's log. Immutable: each method returns changed options, as in {@code
 * ShippingOptions.defaults().interval(ofSeconds(1)).keep(ofDays(7))}.
 *
 * @param interval the time from one shipment to the next: what is lost, at most, if the store's
 *     disk is lost
 * @param keep how far back in time the target can restore; older backups and logs are deleted
 * @param backupPeriod how often a backup is made; a restore replays the log from one on. Also made
 *     when more log was shipped than the backup before has bytes, and at least 64 MiB
 * @param maxUnshippedBytes how much of the log may wait on the store's disk while the target cannot
 *     be written; after that, a new backup is made as soon as it can be
 * @param backups the options of those backups
 */
public record ShippingOptions(
    Duration interval,
    Duration keep,
    Duration backupPeriod,
    long maxUnshippedBytes,
    BackupOptions backups) {
  private static final Duration FOREVER = Duration.ofDays(100_000);

  private static final ShippingOptions DEFAULTS =
      new ShippingOptions(
          Duration.ofSeconds(10), FOREVER, Duration.ofDays(1), 1L << 30, BackupOptions.defaults());

  /** Checks the arguments. */
  public ShippingOptions {
    checkPositive(interval, "interval");
    checkPositive(keep, "keep");
    checkPositive(backupPeriod, "backupPeriod");
    if (maxUnshippedBytes < 1) {
      throw new IllegalArgumentException(
          "The number of unshipped bytes is " + maxUnshippedBytes + "; use 1 or more.");
    }
    Objects.requireNonNull(backups, "backups");
  }

  private static void checkPositive(Duration duration, String name) {
    if (duration.isNegative() || duration.isZero() || duration.compareTo(FOREVER) > 0) {
      throw new IllegalArgumentException(
          "The option "
              + name
              + " is "
              + duration
              + "; use more than 0, and at most "
              + FOREVER
              + ".");
    }
  }

  /** Ships every 10 seconds, makes a backup every day, and keeps everything. */
  public static ShippingOptions defaults() {
    return DEFAULTS;
  }

  /** With this time from one shipment to the next. */
  public ShippingOptions interval(Duration time) {
    return new ShippingOptions(time, keep, backupPeriod, maxUnshippedBytes, backups);
  }

  /**
   * Keeps what is needed to restore any moment of this time. Applies to all that is in the target,
   * backups that were made otherwise included.
   */
  public ShippingOptions keep(Duration time) {
    return new ShippingOptions(interval, time, backupPeriod, maxUnshippedBytes, backups);
  }

  /** With this time from one backup to the next. */
  public ShippingOptions backupPeriod(Duration time) {
    return new ShippingOptions(interval, keep, time, maxUnshippedBytes, backups);
  }

  /** With this limit of what waits on the store's disk. */
  public ShippingOptions maxUnshippedBytes(long bytes) {
    return new ShippingOptions(interval, keep, backupPeriod, bytes, backups);
  }

  /** With these options of the backups. */
  public ShippingOptions backups(BackupOptions options) {
    return new ShippingOptions(interval, keep, backupPeriod, maxUnshippedBytes, options);
  }
}
