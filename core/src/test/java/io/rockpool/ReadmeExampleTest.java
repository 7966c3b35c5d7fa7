package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's example is the one below, and it does what it says. */
class ReadmeExampleTest {
  @TempDir Path directory;

  private record Order(String id, long cents) {
    Order plus(Order other) {
      return new Order(id, cents + other.cents);
    }
  }

  private Order order;
  private Order loaded;

  private void example(Path directory) {
    // README
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentCache<String, Order> orders = pool.cache("orders", String.class, Order.class);
      orders.put("o-1", new Order("o-1", 1_250));
      orders.put("o-2", new Order("o-2", 99), Duration.ofMinutes(5));
      order = orders.get("o-1");
      loaded = orders.get("o-3", id -> loadFromDatabase(id));
      orders.merge("o-1", new Order("o-1", 50), Order::plus);
    }
    // README
  }

  private static Order loadFromDatabase(String id) {
    return new Order(id, 3);
  }

  @Test
  void doesWhatItSays() {
    example(directory);
    assertThat(order).isEqualTo(new Order("o-1", 1_250));
    assertThat(loaded).isEqualTo(new Order("o-3", 3));
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentCache<String, Order> orders = pool.cache("orders", String.class, Order.class);
      assertThat(orders.get("o-1")).isEqualTo(new Order("o-1", 1_300));
      assertThat(orders.get("o-3")).isEqualTo(new Order("o-3", 3));
      assertThat(orders.ttl("o-2").orElseThrow()).isLessThanOrEqualTo(Duration.ofMinutes(5));
    }
  }

  @Test
  void isTheOneInTheReadme() throws IOException {
    Path core = Path.of("").toAbsolutePath();
    String source =
        Files.readString(core.resolve("src/test/java/io/rockpool/ReadmeExampleTest.java"));
    String mark = "    // README\n";
    int begin = source.indexOf(mark) + mark.length();
    String example =
        source.substring(begin, source.indexOf(mark, begin)).stripTrailing().stripIndent();
    String readme = Files.readString(core.resolveSibling("README.md"));
    assertThat(readme).contains("```java\n" + example + "\n```");
  }
}
