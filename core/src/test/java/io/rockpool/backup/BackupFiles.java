package io.rockpool.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.store.VerifyReport;
import io.rockpool.structure.PersistentMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A store, and a directory for its backups, in a test's directory. */
record BackupFiles(Path parent) {
  Path store() {
    return parent.resolve("store");
  }

  Path backups() {
    return parent.resolve("backups");
  }

  BackupTarget target() {
    return DirectoryTarget.at(backups());
  }

  static PersistentMap<Integer, String> map(Rockpool pool) {
    return pool.map("map", Integer.class, String.class);
  }

  static void fill(Rockpool pool, int from, int to) {
    Map<Integer, String> values = new TreeMap<>();
    Random random = new Random(from);
    for (int key = from; key < to; key++) {
      values.put(key, "value " + random.nextLong());
    }
    map(pool).putAll(values);
    pool.cache("cache", Integer.class, String.class).put(from, "cached");
  }

  /** Restores the newest backup, checks all of the store, and returns the map. */
  Map<Integer, String> restored(String name) {
    Path directory = parent.resolve(name);
    BackupInfo info = StoreBackups.restore(target(), directory);
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(pool.state().recovery().orElseThrow().clean())
          .as(pool.state().recovery().orElseThrow().message())
          .isTrue();
      VerifyReport report = pool.verify();
      assertThat(report.isClean()).as(report.toString()).isTrue();
      assertThat(pool.names().list()).hasSameSizeAs(info.names());
      return new TreeMap<>(map(pool));
    }
  }

  static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.filter(Files::isRegularFile).sorted().toList();
    }
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  void backUpSome() {
    try (Rockpool pool = Rockpool.open(store())) {
      fill(pool, 0, 100);
      pool.backups().make(target());
    }
  }

  static Optional<Instant> verifiedBackup(Rockpool pool) {
    return pool.state().statistics().orElseThrow().verifiedBackup();
  }
}
