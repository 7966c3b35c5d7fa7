package io.rockpool.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Leftovers are found while a store is open, and none once it is closed. */
final class LeftoversExtensionTest {
  @TempDir Path directory;

  @Test
  @EnabledOnOs(OS.LINUX)
  void anOpenStoreIsLeftAndAClosedOneNot() {
    Set<String> before = LeftoversExtension.open();
    try (Rockpool pool = Rockpool.open(directory)) {
      pool.map("map", String.class, String.class).put("a", "b");
      Set<String> open = LeftoversExtension.open();
      open.removeAll(before);
      assertThat(open).anyMatch(left -> left.contains("rockpool-sync"));
      assertThat(open).anyMatch(left -> left.contains(directory.toString()));
    }
    assertThat(LeftoversExtension.left(before)).isEmpty();
  }
}
