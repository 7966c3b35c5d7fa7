package io.rockpool.internal.rocksdb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.error.StoreIoException;
import io.rockpool.structure.PersistentMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a store does between the steps of a copy. */
@Timeout(60)
final class StoreCopyStepsTest {
  @TempDir Path parent;
  private Path store;
  private Path copy;

  @BeforeEach
  void makeDirectories() throws Exception {
    store = parent.resolve("store");
    copy = Files.createDirectory(parent.resolve("copy"));
  }

  private static PersistentMap<String, String> map(Rockpool pool) {
    return pool.map("map", String.class, String.class);
  }

  /** Writes the memtables to files and deletes the log that had their records. */
  private void flush(Rockpool pool) {
    pool.backups().make(DirectoryTarget.at(parent.resolve("backups")));
  }

  @Test
  void whatIsFlushedMeanwhileIsCopied() {
    AtomicInteger attempts = new AtomicInteger();
    try (Rockpool pool = Rockpool.open(store)) {
      map(pool).put("before", "1");
      StoreCopy.make(
          store,
          copy,
          () -> {
            if (attempts.incrementAndGet() <= 3) {
              flush(pool);
              map(pool).put("after", Integer.toString(attempts.get()));
            }
          });
    }
    assertThat(attempts).hasValue(4);
    try (Rockpool pool = Rockpool.open(copy)) {
      assertThat(map(pool)).isEqualTo(Map.of("before", "1", "after", "3"));
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  @Test
  void whatIsWrittenMeanwhileIsInTheCopyInItsOrder() {
    try (Rockpool pool = Rockpool.open(store)) {
      map(pool).put("before", "1");
      StoreCopy.make(
          store, copy, () -> pool.flush()); // moves the newest changes from the journal to the log
      map(pool).put("after", "2");
    }
    try (Rockpool pool = Rockpool.open(copy)) {
      assertThat(map(pool)).isEqualTo(Map.of("before", "1"));
    }
  }

  @Test
  void aStoreThatNeverRestsIsReported() {
    try (Rockpool pool = Rockpool.open(store)) {
      map(pool).put("k", "v");
      assertThatThrownBy(
              () ->
                  StoreCopy.make(
                      store,
                      copy,
                      () -> {
                        map(pool).put("k", "w");
                        flush(pool);
                      }))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("deletes files faster than they can be read; try again");
      assertThat(copy.resolve("ROCKPOOL")).doesNotExist();
    }
  }
}
