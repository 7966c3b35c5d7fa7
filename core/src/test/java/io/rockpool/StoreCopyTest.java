package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.ReadOnlyStoreException;
import io.rockpool.error.StoreIoException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.StructureOptions;
import io.rockpool.testing.Child;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A copy to read: what it shows, and that neither it nor the store is changed by it. */
@Slow
@Timeout(60)
@Tag("encrypted")
final class StoreCopyTest {
  @TempDir Path parent;

  /** A class that no declared type names. */
  record Note(String text) implements Serializable {}

  private Path directory() {
    return parent.resolve("store");
  }

  private List<Path> copies() throws IOException {
    try (Stream<Path> files = Files.list(directory().resolve("copies"))) {
      return files.toList();
    }
  }

  private static PersistentMap<String, String> map(Rockpool pool) {
    return pool.map("map", String.class, String.class);
  }

  @Test
  void aCopyHasEveryWriteBeforeItAndNoneAfterIt() throws Exception {
    try (Rockpool pool = Rockpool.open(directory())) {
      map(pool).put("a", "1");
      pool.map("objects", String.class, Object.class).put("note", new Note("n"));
      try (Rockpool copy = Rockpool.at(directory()).openCopy()) {
        map(pool).put("a", "2");
        map(pool).put("b", "3");
        pool.names().drop("objects");
        assertThat(map(copy)).isEqualTo(Map.of("a", "1"));
        assertThat(copy.map("objects", String.class, Object.class).get("note"))
            .isEqualTo(new Note("n"));
        assertThat(copy.names().list()).hasSize(2);
        assertThat(copies()).hasSize(1);
        try (Rockpool later = Rockpool.at(directory()).openCopy()) {
          assertThat(map(later)).isEqualTo(Map.of("a", "2", "b", "3"));
          assertThat(later.names().find("objects").isPresent()).isFalse();
        }
      }
      assertThat(copies()).isEmpty();
      map(pool).put("c", "4");
    }
    try (Rockpool pool = Rockpool.open(directory())) {
      assertThat(pool.state().recovery().orElseThrow().clean()).isTrue();
      assertThat(map(pool)).hasSize(3);
    }
  }

  @Test
  void aClosedStoreCanBeCopiedAndStaysAsItIs() throws Exception {
    try (Rockpool pool = Rockpool.open(directory())) {
      map(pool).put("a", "1");
    }
    byte[] recovery = Files.readAllBytes(directory().resolve("recovery"));
    try (Rockpool copy = Rockpool.at(directory()).openCopy();
        Rockpool owner = Rockpool.open(directory())) {
      assertThat(map(copy)).isEqualTo(map(owner));
      assertThat(copy.verify().isClean()).isTrue();
      assertThat(copies()).hasSize(1);
    }
    assertThat(Files.readAllBytes(directory().resolve("recovery"))).hasSameSizeAs(recovery);
  }

  @Test
  void aMissingManifestIsNamed() throws Exception {
    Path damaged = directory().resolveSibling("damaged");
    Rockpool.open(damaged).close();
    for (String name : List.of("MANIFEST-", "CURRENT")) {
      try (Stream<Path> files = Files.list(damaged.resolve("db"))) {
        for (Path file : files.toList()) {
          if (file.getFileName().toString().startsWith(name)) {
            Files.delete(file);
          }
        }
      }
      assertThatThrownBy(() -> Rockpool.at(damaged).openCopy())
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining(name)
          .hasMessageContaining("missing")
          .hasMessageContaining("StoreSalvage.copy");
    }
  }

  @Test
  void everyChangeIsRefused() {
    FakeClock clock = new FakeClock();
    try (Rockpool pool = Rockpool.at(directory()).clock(clock).open()) {
      map(pool).put("a", "1");
      pool.deque("deque", String.class).add("x");
      pool.cache("cache", String.class, String.class, o -> idle()).put("k", "v");
      pool.counter("counter").set(5);
      pool.map("expired", String.class, String.class).clearAfter(Duration.ofSeconds(1));
      clock.advanceMillis(60_000);
      try (Rockpool copy = Rockpool.at(directory()).clock(clock).openCopy()) {
        PersistentCache<String, String> cache = copy.cache("cache", String.class, String.class);
        assertRefused(() -> map(copy).put("a", "2"));
        assertRefused(() -> map(copy).remove("a"));
        assertRefused(() -> map(copy).clear());
        assertRefused(() -> map(copy).clearAfter(Duration.ofDays(1)));
        assertRefused(() -> copy.deque("deque", String.class).poll());
        assertRefused(() -> cache.put("k", "w"));
        assertRefused(() -> cache.remove("k"));
        assertRefused(cache::clear);
        assertRefused(() -> copy.counter("counter").incrementAndGet());
        assertRefused(() -> copy.runAtomically(tx -> map(copy).put("b", "2")));
        assertRefused(() -> copy.names().drop("map"));
        assertRefused(copy.names()::dropAll);
        assertRefused(() -> copy.map("new", String.class, String.class));
        assertRefused(
            () ->
                copy.map(
                    "deque",
                    TypeRef.of(String.class),
                    TypeRef.of(String.class),
                    o -> o.onConflict(StructureOptions.OnConflict.RESET)));
        assertThat(cache.get("k")).isEqualTo("v");
        assertThat(copy.deque("deque", String.class)).containsExactly("x");
        assertThat(map(copy)).isEqualTo(Map.of("a", "1"));
        assertThat(copy.counter("counter").get()).isEqualTo(5);
        assertThat(copy.map("expired", String.class, String.class)).isEmpty();
        assertThat(copy.<Integer>atomically(tx -> map(copy).size())).isEqualTo(1);
        assertThat(copy.state().upkeep().failures()).isZero();
      }
    }
  }

  private static CacheOptions<String, String> idle() {
    return CacheOptions.<String, String>defaults()
        .expiry(CacheExpiry.afterAccess(Duration.ofHours(1)));
  }

  private static void assertRefused(ThrowingCallable change) {
    assertThatThrownBy(change)
        .isInstanceOf(ReadOnlyStoreException.class)
        .hasMessageContaining("copy of the store at")
        .hasMessageContaining("Open the store itself");
  }

  @Test
  void theWriterOfACacheIsNotCalledByACopy() throws Exception {
    Map<String, String> target = new ConcurrentHashMap<>();
    BatchWriter<String, String> writer =
        new BatchWriter<>() {
          @Override
          public void writeAll(Map<String, String> entries) {
            target.putAll(entries);
          }

          @Override
          public void deleteAll(Set<String> keys) {
            target.keySet().removeAll(keys);
          }
        };
    WriteBehindOptions later = WriteBehindOptions.defaults().delay(Duration.ofHours(1));
    try (Rockpool pool = Rockpool.open(directory())) {
      PersistentCache<String, String> cache =
          pool.cache("cache", String.class, String.class, o -> o.writeBehind(writer, later));
      cache.put("k", "v");
      try (Rockpool copy = Rockpool.at(directory()).openCopy()) {
        WriteBehindOptions soon = WriteBehindOptions.defaults().delay(Duration.ofMillis(1));
        PersistentCache<String, String> copied =
            copy.cache("cache", String.class, String.class, o -> o.writeBehind(writer, soon));
        assertThat(copied.get("k")).isEqualTo("v");
        Thread.sleep(200); // a thread that wrote would have done so
        assertThat(target).isEmpty();
      }
      assertThat(cache.writeBehind().flush(Duration.ofSeconds(30))).isTrue();
      assertThat(target).isEqualTo(Map.of("k", "v"));
    }
  }

  @Test
  void whatAnUnfinishedCopyOfANameLeavesDoesNotMatter() {
    try (RocksDbEngine engine = RocksDbEngine.open(directory(), RocksDbOptions.defaults())) {
      engine.create(new SpaceSpec("rockpool:hot/:copies/1", Layout.ROWS, Map.of()));
    }
    try (Rockpool copy = Rockpool.at(directory()).openCopy()) {
      assertThat(copy.names().list()).isEmpty();
    }
  }

  @Test
  void whatIsNoStoreIsLeftUntouched() throws Exception {
    Path missing = parent.resolve("missing");
    assertThatThrownBy(() -> Rockpool.at(missing).openCopy())
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("There is no store at " + missing);
    assertThat(missing).doesNotExist();
    Path foreign = Files.createDirectory(parent.resolve("foreign"));
    Files.writeString(foreign.resolve("file"), "x");
    assertThatThrownBy(() -> Rockpool.at(foreign).openCopy())
        .isInstanceOf(ForeignDirectoryException.class);
    assertThat(foreign.resolve("copies")).doesNotExist();
    Path newer = Files.createDirectory(parent.resolve("newer"));
    Files.writeString(newer.resolve("ROCKPOOL"), "Rockpool store\nformat 999\n");
    assertThatThrownBy(() -> Rockpool.at(newer).openCopy())
        .isInstanceOf(FormatVersionException.class);
    assertThatThrownBy(() -> Rockpool.temporary().openCopy())
        .isInstanceOf(IllegalStateException.class);
  }

  /** A process that opens a copy and never closes it. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] arguments) throws IOException {
      Rockpool copy = Rockpool.at(Path.of(arguments[0])).openCopy();
      System.out.println(map(copy).get("a"));
      while (System.in.read() >= 0) {
        System.out.println(map(copy).get("a"));
      }
    }
  }

  @Test
  void whatAKilledReaderLeavesIsRemovedAndThatOfALivingOneIsNot() throws Exception {
    try (Rockpool pool = Rockpool.open(directory())) {
      map(pool).put("a", "1");
    }
    try (Child killed = Child.start(Reader.class, List.of(), directory());
        Child living = Child.start(Reader.class, List.of(), directory())) {
      assertThat(killed.readLine()).isEqualTo("1");
      assertThat(living.readLine()).isEqualTo("1");
      killed.kill();
      killed.waitFor();
      assertThat(copies()).hasSize(2);
      for (Path copy : copies()) {
        Files.setLastModifiedTime(copy, FileTime.from(Instant.now().minusSeconds(3600)));
      }
      try (Rockpool pool = Rockpool.open(directory())) {
        assertThat(map(pool).get("a")).isEqualTo("1");
        assertThat(copies()).hasSize(1);
      }
    }
  }
}
