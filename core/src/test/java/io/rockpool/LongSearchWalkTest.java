package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.structure.PersistentSet;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A walk whose first page comes from rows by themselves, as the search was long, goes on by a scan
 * of all. It returns each element once, also where keys are hidden: the rows have one order.
 */
@Slow
@Timeout(120)
final class LongSearchWalkTest {
  private static final int MANY = 100_000;
  private static final int LEFT = 40;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"clear", "hidden"})
  void itReturnsEachElementOnce(String name) throws IOException {
    Path keys = directory.resolve("master.keys");
    Files.writeString(keys, KeyProviders.newKey("2026"));
    Encryption encryption = Encryption.with(KeyProviders.file(keys)).hidingKeys("hidden");
    try (Rockpool pool = Rockpool.at(directory.resolve("store")).encryption(encryption).open()) {
      PersistentSet<Integer> set = pool.set(name, Integer.class);
      IntStream.range(0, MANY).forEach(set::add);
      IntStream.range(LEFT, MANY).forEach(set::remove);
      for (int walk = 0; walk < 5; walk++) {
        List<Integer> found = new ArrayList<>(set);
        assertThat(found).hasSize(LEFT).containsExactlyInAnyOrderElementsOf(range());
      }
    }
  }

  private static List<Integer> range() {
    return IntStream.range(0, LEFT).boxed().toList();
  }
}
