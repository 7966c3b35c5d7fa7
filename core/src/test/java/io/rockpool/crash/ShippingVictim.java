package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The process that is killed while it ships its log. Its threads count in the store. It prints, all
 * the time, until when changes were shipped, and what was acknowledged between two times.
 */
final class ShippingVictim {
  private static final Duration INTERVAL = Duration.ofMillis(200);

  private static final long MEMORY_BYTES = 8L << 20;

  private ShippingVictim() {}

  public static void main(String[] arguments) throws InterruptedException {
    PrintStream said = new PrintStream(System.out, true);
    Rockpool pool = Rockpool.at(Path.of(arguments[1])).memoryBytes(MEMORY_BYTES).open();
    Counting counting = new Counting(pool);
    counting.resume();
    for (int thread = 0; thread < Counting.THREADS; thread++) {
      int number = thread;
      new Thread(
              () -> {
                while (true) {
                  counting.step(number);
                }
              })
          .start();
    }
    Shipping shipping =
        pool.backups()
            .ship(
                DirectoryTarget.at(Path.of(arguments[0])),
                ShippingOptions.defaults()
                    .interval(INTERVAL)
                    .backupPeriod(Duration.ofSeconds(1))
                    .keep(Duration.ofSeconds(5)));
    while (true) {
      long until = shipping.until().toEpochMilli();
      long before = System.currentTimeMillis();
      String acknowledged = counting.acknowledged();
      said.printf("%d %d %s %d end%n", until, before, acknowledged, System.currentTimeMillis());
      Thread.sleep(10);
    }
  }
}
