package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.error.StoreLockedException;
import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store that another process has open: waited for, refused, or replaced by a temporary one. */
@Slow
@Timeout(60)
final class LockWaitTest {
  /** Makes a {@link Holder} hold a temporary store. */
  private static final String TEMPORARY = "temporary";

  @TempDir Path parent;

  /** A process that holds a store open until its input ends. */
  static final class Holder {
    private Holder() {}

    private static Rockpool open(String directory) {
      return directory.equals(TEMPORARY)
          ? Rockpool.temporary().open()
          : Rockpool.open(Path.of(directory));
    }

    public static void main(String[] arguments) throws IOException {
      try (Rockpool pool = open(arguments[0])) {
        pool.cache("c", String.class, String.class).put("k", "from the other process");
        System.out.println("holds");
        System.in.transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  private Child hold(Object directory, List<String> jvmOptions) throws IOException {
    Child holder = Child.start(Holder.class, jvmOptions, directory);
    assertThat(holder.readLine()).isEqualTo("holds");
    return holder;
  }

  @Test
  void theStoreOpensAsSoonAsTheOtherProcessHasClosedIt() throws Exception {
    Path directory = parent.resolve("store");
    try (Child holder = hold(directory, List.of())) {
      CompletableFuture<String> value =
          CompletableFuture.supplyAsync(
              () -> {
                try (Rockpool pool =
                    Rockpool.at(directory).lockWait(Duration.ofSeconds(50)).open()) {
                  return pool.cache("c", String.class, String.class).get("k");
                }
              });
      assertThatThrownBy(() -> value.get(300, TimeUnit.MILLISECONDS)).hasMessage(null); // waits
      holder.release();
      assertThat(value.get(30, TimeUnit.SECONDS)).isEqualTo("from the other process");
    }
  }

  @Test
  void aWaitThatIsOverOrInterruptedNamesTheOtherProcess() throws Exception {
    Path directory = parent.resolve("store");
    try (Child holder = hold(directory, List.of())) {
      String pid = "in use by the process with pid " + holder.pid();
      assertThatThrownBy(() -> Rockpool.at(directory).lockWait(Duration.ofMillis(200)).open())
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining(pid);
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      AtomicBoolean keptTheFlag = new AtomicBoolean();
      Thread waiter =
          new Thread(
              () -> {
                thrown.set(
                    catchThrowable(
                        () -> Rockpool.at(directory).lockWait(Duration.ofMinutes(1)).open()));
                keptTheFlag.set(Thread.currentThread().isInterrupted());
              });
      waiter.start();
      while (waiter.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      waiter.interrupt();
      waiter.join();
      assertThat(thrown.get()).hasMessageContaining(holder.pid() + ". Stop that process");
      assertThat(keptTheFlag).isTrue();
    }
  }

  @Test
  void aTemporaryStoreTakesThePlaceOfALockedOne() throws Exception {
    Path directory = parent.resolve("store");
    try (Child holder = hold(directory, List.of())) {
      try (Rockpool pool = Rockpool.at(directory).whenLocked(WhenLocked.TEMPORARY).open()) {
        assertThat(pool.cache("c", String.class, String.class).get("k")).isNull();
        pool.cache("c", String.class, String.class).put("k", "mine");
      }
      holder.release();
      assertThat(holder.waitFor()).isZero();
    }
    try (Rockpool pool = Rockpool.at(directory).whenLocked(WhenLocked.TEMPORARY).open()) {
      assertThat(pool.cache("c", String.class, String.class).get("k"))
          .isEqualTo("from the other process");
    }
  }

  @Test
  void temporaryStoresAreTheirOwnersAloneAndRemovedWhenTheyClose() {
    try (Rockpool one = Rockpool.temporary().open();
        Rockpool other = Rockpool.temporary().open()) {
      one.map("m", String.class, String.class).put("k", "v");
      assertThat(other.map("m", String.class, String.class)).isEmpty();
      assertThat(directoryOf(one)).isNotEqualTo(directoryOf(other)).exists();
      Path first = directoryOf(one);
      one.close();
      assertThat(first).doesNotExist();
      other.map("m", String.class, String.class).put("k", "v");
    }
  }

  private static Path directoryOf(Rockpool pool) {
    String text = pool.toString();
    return Path.of(text.substring(text.indexOf('/')));
  }

  @Test
  void whatAKilledProcessLeftIsRemovedByTheNextButNotWhatIsOpen() throws Exception {
    List<String> options = List.of("-Djava.io.tmpdir=" + parent);
    try (Child killed = hold(TEMPORARY, options);
        Child running = hold(TEMPORARY, options)) {
      killed.kill();
      List<Path> both = temporaries();
      assertThat(both).hasSize(2);
      for (Path directory : both) {
        Files.setLastModifiedTime(
            directory, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
      }
      try (Child next = hold(TEMPORARY, options)) {
        List<Path> left = temporaries();
        assertThat(left).hasSize(2);
        assertThat(left).anyMatch(it -> it.toString().contains("-" + running.pid() + "-"));
        assertThat(left).anyMatch(it -> it.toString().contains("-" + next.pid() + "-"));
        next.release();
        assertThat(next.waitFor()).isZero();
      }
      assertThat(temporaries()).hasSize(1);
    }
  }

  private List<Path> temporaries() throws IOException {
    try (Stream<Path> all = Files.list(parent)) {
      return all.filter(it -> it.getFileName().toString().startsWith("rockpool-temporary-"))
          .toList();
    }
  }

  @Test
  void aConflictNamesTheOptionThatDiffers() {
    Path directory = parent.resolve("store");
    try (Rockpool pool = Rockpool.at(directory).memoryBytes(32 << 20).open()) {
      assertThat(pool).isNotNull();
      assertThatThrownBy(
              () -> Rockpool.at(directory).memoryBytes(64 << 20).diskBudgetBytes(1 << 30).open())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("open in this process with another memoryBytes, diskBudgetBytes.")
          .hasMessageEndingWith("Set the same, leave it unset, or open another directory.");
    }
  }
}
