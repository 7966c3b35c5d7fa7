package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rockpool.change.ChangeFeed;
import io.rockpool.change.ChangeOptions;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.SendOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Texts that identify something are stored in UTF-8, where each half of a surrogate pair would
 * become a question mark, and two texts one. So they are refused, and nothing is changed.
 */
class HalfCharactersTest {
  @Test
  void aTextThatUtf8CannotHoldIsRefused() {
    try (Rockpool pool = Rockpool.inMemory()) {
      PersistentQueue<String> queue = pool.queue("queue", String.class);
      pool.map(
          "map",
          String.class,
          String.class,
          o -> o.changes(ChangeOptions.keep(Duration.ofDays(1))));
      ChangeFeed<String, String> feed = pool.changes("map", String.class, String.class);
      Duration day = Duration.ofDays(1);
      SendOptions send = SendOptions.defaults();
      Map<String, Consumer<String>> places =
          Map.of(
              "deduplication id", text -> queue.send("m", send.deduplicate(text, day)),
              "group", text -> queue.send("m", send.group(text)),
              "key of a header", text -> queue.send("m", send.header(text, "v")),
              "header \"key\"", text -> queue.send("m", send.header("key", text)),
              "cursor", text -> feed.cursor(text).commit(),
              "tag",
                  text ->
                      pool.cache("cache", String.class, String.class)
                          .put("key", "value", Set.of(text)),
              "version",
                  text ->
                      pool.cache("other", String.class, String.class, o -> o.version(text)).close(),
              "name", text -> pool.map(text, String.class, String.class));
      places.forEach(
          (what, place) -> {
            for (String half : new String[] {"\ud800", "a\udc00", "\udc00\ud800", "\ud801b"}) {
              assertThatIllegalArgumentException()
                  .as(what)
                  .isThrownBy(() -> place.accept(half))
                  .withMessageContaining(what)
                  .withMessageContaining("half of a surrogate pair");
            }
          });
      assertThat(queue.size()).isZero();
      assertThat(feed.cursors()).isEmpty();
      places.values().forEach(place -> place.accept("\ud83d\ude00"));
      assertThat(queue.size()).isEqualTo(4);
    }
  }
}
