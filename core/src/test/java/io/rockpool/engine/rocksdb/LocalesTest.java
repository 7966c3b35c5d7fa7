package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.StoreSalvage;
import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.store.SalvageReport;
import io.rockpool.store.VerifyReport;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One store, its backups and its shipped log serve processes of all locales of the JDK, in turn:
 * one of each group of locales that write numbers, and change the case of letters, alike.
 */
@Slow
final class LocalesTest {
  private static final ShippingOptions BY_HAND =
      ShippingOptions.defaults().interval(Duration.ofDays(1));

  private final Locale before = Locale.getDefault();
  private final FakeClock clock = new FakeClock();
  @TempDir private Path parent;

  @AfterEach
  void setBack() {
    Locale.setDefault(before);
  }

  @Test
  void aStoreMovesThroughAllLocales() throws IOException {
    List<Locale> locales = groups();
    assertThat(locales).contains(Locale.US).hasSizeGreaterThan(10);
    Path store = parent.resolve("store");
    BackupTarget target = DirectoryTarget.at(parent.resolve("backups"));
    List<String> names = List.of();
    for (int round = 1; round <= locales.size(); round++) {
      Locale.setDefault(locales.get(round - 1));
      String as = "round " + round + ", " + Locale.getDefault();
      Instant moment;
      try (Rockpool pool = Rockpool.at(store).clock(clock).open()) {
        if (round == 1) {
          StoreOfEverything.fill(pool, clock);
          names = describe(pool);
        }
        assertThat(describe(pool)).as(as).isEqualTo(names);
        map(pool).put("round " + round, "value " + round);
        assertThat(pool.backups().make(target).number()).as(as).isEqualTo(2L * round - 1);
        try (Shipping shipping = pool.backups().ship(target, BY_HAND)) {
          map(pool).put("shipped " + round, "value " + round);
          clock.advanceMillis(1_000);
          moment = clock.instant();
          shipping.ship();
        }
        assertThat(StoreBackups.list(target))
            .as(as)
            .extracting(BackupInfo::number)
            .hasSize(2 * round); // shipping begins with a backup
      }
      Path restored = parent.resolve("restored");
      StoreBackups.restore(target, restored);
      assertSame(restored, names, round, as);
      StoreBackups.restore(target, moment, restored, BackupOptions.defaults());
      assertSame(restored, names, round, as);
      SalvageReport report = StoreSalvage.copy(store, restored);
      assertThat(report.isComplete()).as(as + report).isTrue();
      assertSame(restored, names, round, as);
    }
  }

  /** Checks a copy of the store, and deletes it. */
  private void assertSame(Path copy, List<String> names, int round, String as) throws IOException {
    try (Rockpool pool = Rockpool.at(copy).clock(clock).open()) {
      VerifyReport report = pool.verify();
      assertThat(report.isClean()).as(as + report).isTrue();
      assertThat(describe(pool)).as(as).isEqualTo(names);
      for (int earlier = 1; earlier <= round; earlier++) {
        assertThat(map(pool)).as(as).containsEntry("round " + earlier, "value " + earlier);
      }
    }
    try (Stream<Path> files = Files.walk(copy)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static PersistentMap<String, String> map(Rockpool pool) {
    return pool.map("all/map", String.class, String.class);
  }

  private static List<String> describe(Rockpool pool) {
    return pool.names().list().stream()
        .map((Description name) -> name.name() + " " + name.type() + " " + name.options())
        .toList();
  }

  /** The first locale of each group, that of the United States before the others. */
  private static List<Locale> groups() {
    Map<String, Locale> groups = new LinkedHashMap<>();
    groups.put(signature(Locale.US), Locale.US);
    Stream.of(Locale.getAvailableLocales())
        .sorted(Comparator.comparing(Locale::toLanguageTag))
        .forEach(locale -> groups.putIfAbsent(signature(locale), locale));
    return List.copyOf(groups.values());
  }

  private static String signature(Locale locale) {
    StringBuilder signature =
        new StringBuilder(String.format(locale, "%012d %x", 9_876_543_210L, 255));
    signature.append(String.format(locale, "%.2f", -0.5));
    for (DayOfWeek day : DayOfWeek.values()) {
      // I and i are the letters whose case depends on the locale; so does a letter with an accent.
      signature.append((day.name() + "Ìİß").toLowerCase(locale));
    }
    return signature.append("iıiß".toUpperCase(locale)).toString();
  }
}
