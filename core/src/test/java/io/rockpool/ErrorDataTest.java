package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers need of an error is in its methods, not only in its text. */
class ErrorDataTest {
  @TempDir Path directory;

  @Test
  void errorsOfADirectoryNameIt() throws IOException {
    Path foreign = Files.createDirectory(directory.resolve("foreign"));
    Files.createFile(foreign.resolve("letter.txt"));
    assertThat(
            catchThrowableOfType(ForeignDirectoryException.class, () -> Rockpool.open(foreign))
                .directory())
        .contains(foreign);
    Path newer = directory.resolve("newer");
    Rockpool.open(newer).close();
    Path marker = newer.resolve("ROCKPOOL");
    Files.writeString(marker, Files.readString(marker).replaceFirst("[0-9]+", "99"));
    assertThat(
            catchThrowableOfType(FormatVersionException.class, () -> Rockpool.open(newer))
                .directory())
        .contains(newer);
  }

  @Test
  void errorsOfANameHaveIt() {
    try (Rockpool pool = Rockpool.inMemory()) {
      pool.map("shop/stock", String.class, Long.class);
      assertThat(
              catchThrowableOfType(
                      NameConflictException.class, () -> pool.set("shop/stock", String.class))
                  .name())
          .isEqualTo("shop/stock");
    }
  }

  @Test
  void errorsOfAValueHaveItsCacheAndItsClass() {
    try (Rockpool pool = Rockpool.inMemory()) {
      PersistentCache<String, Object> cache =
          pool.cache("c", TypeRef.of(String.class), TypeRef.of(Object.class));
      UnencodableValueException refused =
          catchThrowableOfType(
              UnencodableValueException.class, () -> cache.put("a", Thread.currentThread()));
      assertThat(refused.name()).contains("c");
      assertThat(refused.className()).contains(Thread.class.getName());
    }
  }

  @Test
  void errorsOfAnElementHaveItsCollectionAndItsClass() {
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentMap<String, Object> map = pool.map("shop/map", String.class, Object.class);
      PersistentDeque<Object> deque = pool.deque("shop/deque", Object.class);
      PersistentTable<String, String, Object> table =
          pool.table("shop/table", String.class, String.class, Object.class);
      Object thread = Thread.currentThread();
      Map<String, ThrowingCallable> puts =
          Map.of(
              "shop/map", () -> map.put("a", thread),
              "shop/deque", () -> deque.add(thread),
              "shop/table", () -> table.put("a", "b", thread));
      puts.forEach(
          (name, put) -> {
            UnencodableValueException refused =
                catchThrowableOfType(UnencodableValueException.class, put);
            assertThat(refused.name()).contains(name);
            assertThat(refused.className()).isPresent();
            assertThat(refused).hasMessageContaining('"' + name + '"');
          });
    }
  }

  @Test
  void everyUseOfWhatIsClosedThrowsTheSame() {
    for (boolean onDisk : List.of(true, false)) {
      Rockpool pool = onDisk ? Rockpool.open(directory) : Rockpool.inMemory();
      PersistentCache<String, String> cache = pool.cache("c", String.class, String.class);
      PersistentMap<String, String> map = pool.map("m", String.class, String.class);
      PersistentMap<String, String> dropped = pool.map("d", String.class, String.class);
      pool.names().drop("d");
      assertThatThrownBy(() -> dropped.put("a", "1")).isInstanceOf(StoreClosedException.class);
      pool.close();
      Stream.<Runnable>of(
              () -> cache.get("a"),
              () -> cache.put("a", "1"),
              () -> map.get("a"),
              () -> map.put("a", "1"),
              pool::flush,
              () -> pool.names().list(""),
              () -> pool.cache("c", String.class, String.class))
          .forEach(use -> assertThatThrownBy(use::run).isInstanceOf(StoreClosedException.class));
    }
  }
}
