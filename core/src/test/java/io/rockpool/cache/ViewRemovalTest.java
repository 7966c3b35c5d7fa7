package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Views of {@code asMap()} remove only what they have tested. */
final class ViewRemovalTest extends OnEverySetup {
  /** Two instances with the same bytes that are not equal. */
  private static final class Token implements Serializable {
    private static final long serialVersionUID = 1;

    final int number;

    Token(int number) {
      this.number = number;
    }
  }

  /** A collection that contains what equals a value, and calls a function when it is asked. */
  private static List<Object> asked(Object value, Runnable then) {
    return new AbstractList<>() {
      @Override
      public Object get(int index) {
        return value;
      }

      @Override
      public int size() {
        return 1;
      }

      @Override
      public boolean contains(Object other) {
        boolean same = value.equals(other);
        then.run();
        return same;
      }
    };
  }

  @Test
  void whatWasPutSinceTheTestStays() {
    ConcurrentMap<String, String> map =
        pool.cache("names", String.class, String.class, o -> setup.options()).asMap();
    Runnable put = () -> map.put("k", "new");
    List<Consumer<Runnable>> removals =
        List.of(
            then -> assertThat(map.values().removeIf(it -> was("old", it, then))).isFalse(),
            then ->
                assertThat(map.entrySet().removeIf(it -> was("old", it.getValue(), then)))
                    .isFalse(),
            then -> assertThat(map.values().removeAll(asked("old", then))).isFalse(),
            then -> assertThat(map.values().retainAll(asked("other", then))).isFalse(),
            then ->
                assertThat(map.entrySet().retainAll(asked(Map.entry("k", "other"), then)))
                    .isFalse());
    for (Consumer<Runnable> removal : removals) {
      map.put("k", "old");
      removal.accept(put);
      assertThat(map).containsExactly(Map.entry("k", "new"));
      map.put("k", "old");
      removal.accept(() -> map.remove("k"));
      assertThat(map).isEmpty();
    }
    map.put("k", "old");
    assertThat(map.keySet().removeIf(it -> was("k", it, put))).isTrue();
    assertThat(map).isEmpty();
  }

  private static boolean was(String expected, String value, Runnable then) {
    boolean same = value.equals(expected);
    then.run();
    return same;
  }

  @Test
  void whatWasPutAgainIsRemoved() {
    ConcurrentMap<String, byte[]> map =
        pool.cache("arrays", String.class, byte[].class, o -> setup.options()).asMap();
    map.put("k", new byte[] {1});
    assertThat(
            map.values()
                .removeIf(
                    it -> {
                      map.put("k", new byte[] {1});
                      return it[0] == 1;
                    }))
        .isTrue();
    assertThat(map).isEmpty();
  }

  @Test
  void oneOfEqualValuesIsRemoved() {
    ConcurrentMap<Integer, String> map =
        pool.cache("equal", Integer.class, String.class, o -> setup.options()).asMap();
    map.putAll(Map.of(1, "a", 2, "a", 3, "b"));
    assertThat(map.values().remove("a")).isTrue();
    assertThat(map).hasSize(2).containsEntry(3, "b");
    assertThat(map.values().remove("c")).isFalse();
    assertThat(map.entrySet().remove(Map.entry(3, "a"))).isFalse();
    assertThat(map.values().removeAll(Set.of("a", "c"))).isTrue();
    assertThat(map).containsExactly(Map.entry(3, "b"));
  }

  @Test
  void valuesWithoutEqualsAreRemoved() {
    for (CacheOptions<Integer, Token> options :
        List.of(
            setup.<Integer, Token>options(), setup.<Integer, Token>options().sharesValues(true))) {
      PersistentCache<Integer, Token> cache =
          pool.cache("tokens" + options.sharesValues(), Integer.class, Token.class, o -> options);
      ConcurrentMap<Integer, Token> map = cache.asMap();
      Stream.of(1, 2, 3, 4, 5).forEach(i -> map.put(i, new Token(i)));
      Stream.of(1, 2).forEach(cache::get);
      assertThat(map.values().removeIf(it -> it.number % 2 == 1)).isTrue();
      assertThat(map.keySet()).containsExactlyInAnyOrder(2, 4);
      assertThat(map.entrySet().removeIf(it -> it.getKey() == 2)).isTrue();
      assertThat(map.values().retainAll(Set.of())).isTrue();
      assertThat(map).isEmpty();
      assertThat(cache.statistics().removals()).isEqualTo(5);
    }
  }
}
