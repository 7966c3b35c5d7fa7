package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeEvent;
import io.rockpool.change.ChangeFeed;
import io.rockpool.change.ChangeOptions;
import io.rockpool.codec.TypeRef;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.Schedule;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.NotEncrypted;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The stores that released versions wrote, one a version, are opened, read, verified and written.
 * {@code -Drockpool.test.writeGoldenStore=VERSION} writes that of the version that is released;
 * never replace an older one.
 */
@NotEncrypted("the stores in the tree are as earlier versions wrote them")
final class GoldenStoreTest {
  private static final Path STORES = Path.of("src/test/resources/stores");
  private static final String ZIP = ".zip";
  private static final Duration HOUR = Duration.ofHours(1);

  /** A value of an application, by reflection. */
  public record Order(String id, long cents, List<String> items, DayOfWeek day, Instant at) {}

  private static final Order ORDER =
      new Order("o-1", 1_250, List.of("tea", "cup"), DayOfWeek.FRIDAY, Instant.EPOCH);

  @TempDir private Path parent;
  private final FakeClock clock = new FakeClock();

  static List<String> versions() throws IOException {
    try (Stream<Path> stores = Files.list(STORES)) {
      return stores
          .map(store -> store.getFileName().toString())
          .filter(name -> name.endsWith(ZIP))
          .map(name -> name.substring(0, name.length() - ZIP.length()))
          .sorted()
          .toList();
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "rockpool.test.writeGoldenStore", matches = "[0-9.]+")
  void write() throws IOException {
    String version = System.getProperty("rockpool.test.writeGoldenStore");
    Path directory = parent.resolve("written");
    String content;
    try (Rockpool pool = Rockpool.at(directory).clock(clock).open()) {
      StoreOfEverything.fill(pool, clock);
    }
    // The opening has moved the records from the log into tables; those that follow stay in it.
    try (Rockpool pool = Rockpool.at(directory).clock(clock).open()) {
      fill(pool);
      content = content(pool);
    }
    zip(directory, STORES.resolve(version + ZIP));
    Files.writeString(STORES.resolve(version + ".txt"), content);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void theStoreOfAnEarlierVersionIsReadAndWritten(String version) throws IOException {
    Path directory = parent.resolve(version);
    unzip(STORES.resolve(version + ZIP), directory);
    String expected = Files.readString(STORES.resolve(version + ".txt"));
    clock.advanceMillis(10_001); // as when the store was written
    try (Rockpool pool = Rockpool.at(directory).clock(clock).open()) {
      assertThat(content(pool)).isEqualTo(expected);
      checkAndChange(pool);
    }
    try (Rockpool pool = Rockpool.at(directory).clock(clock).open()) {
      assertThat(orders(pool).get("o-2").cents()).isEqualTo(2);
      assertThat(pool.map("all/map", String.class, String.class).get("new")).isEqualTo("new");
      assertThat(pool.verify(VerifyOptions.defaults().decodeValues(true)).isClean()).isTrue();
    }
  }

  private static PersistentCache<String, Order> orders(Rockpool pool) {
    return pool.cache("golden/orders", String.class, Order.class);
  }

  private static PersistentMap<DayOfWeek, Order> logged(Rockpool pool) {
    return pool.map(
        "golden/logged",
        TypeRef.of(DayOfWeek.class),
        TypeRef.of(Order.class),
        o -> o.changes(ChangeOptions.keep(HOUR)));
  }

  private static void fill(Rockpool pool) {
    orders(pool).put("o-1", ORDER, Set.of("tag"));
    orders(pool).put("o-3", ORDER, Set.of("gone"));
    orders(pool).invalidateTag("gone");
    logged(pool).put(DayOfWeek.MONDAY, ORDER);
    pool.cache("golden/any", Object.class, Object.class).put(ORDER, List.of(ORDER, 1, "text"));
    PersistentQueue<Order> queue = pool.queue("golden/queue", Order.class);
    long first = queue.send(ORDER, options -> options.group("g").header("h", "v"));
    long second = queue.send(ORDER, options -> options.delay(HOUR));
    assertThat(second).isGreaterThan(first);
    assertThat(pool.timer("golden/timer", Schedule.rate(HOUR), String.class).start("x")).isTrue();
    int once = pool.once("golden", Duration.ofDays(10), tx -> 7);
    assertThat(once).isEqualTo(7);
  }

  private static void checkAndChange(Rockpool pool) {
    assertThat(orders(pool).get("o-1")).isEqualTo(ORDER);
    assertThat(orders(pool).get("o-3")).isNull();
    orders(pool).invalidateTag("tag");
    assertThat(orders(pool).get("o-1")).isNull();
    orders(pool).put("o-2", new Order("o-2", 2, List.of(), DayOfWeek.SUNDAY, Instant.EPOCH));
    assertThat(logged(pool)).containsEntry(DayOfWeek.MONDAY, ORDER).hasSize(1);
    ChangeFeed<DayOfWeek, Order> feed = pool.changes("golden/logged", DayOfWeek.class, Order.class);
    assertThat(feed.poll(feed.oldest(), 10)).extracting(ChangeEvent::value).containsExactly(ORDER);
    assertThat(pool.cache("golden/any", Object.class, Object.class).get(ORDER))
        .isEqualTo(List.of(ORDER, 1, "text"));
    PersistentQueue<Order> queue = pool.queue("golden/queue", Order.class);
    Delivery<Order> delivery = queue.receive().orElseThrow();
    assertThat(delivery.message()).isEqualTo(ORDER);
    assertThat(delivery.acknowledge()).isTrue();
    assertThat(queue.size()).isEqualTo(1);
    assertThat(pool.timer("golden/timer", Schedule.rate(HOUR), String.class).next()).isPresent();
    int once = pool.once("golden", Duration.ofDays(10), tx -> 8);
    assertThat(once).isEqualTo(7);
    assertThat(pool.deque("all/deque", Integer.class).pollFirst()).isNotNull();
    assertThat(pool.map("all/map", String.class, String.class).put("new", "new")).isNull();
  }

  /** The names with their kinds and options. */
  private static String content(Rockpool pool) {
    StringBuilder text = new StringBuilder();
    pool.names()
        .list()
        .forEach(
            name ->
                text.append(name.name())
                    .append(' ')
                    .append(name.type())
                    .append(' ')
                    .append(name.options())
                    .append('\n'));
    VerifyReport report = pool.verify(VerifyOptions.defaults().decodeValues(true));
    assertThat(report.isClean()).as(report.toString()).isTrue();
    return text.toString();
  }

  private static void zip(Path directory, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out);
        Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
        ZipEntry entry = new ZipEntry(directory.relativize(each).toString());
        entry.setTime(0);
        zip.putNextEntry(entry);
        Files.copy(each, zip);
      }
    }
  }

  private static void unzip(Path file, Path directory) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path target = directory.resolve(entry.getName());
        Files.createDirectories(target.getParent());
        Files.copy(zip, target);
      }
    }
  }
}
