package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Views of maps compare arrays as {@code replace} and {@code remove} do: by their elements. */
class ArrayViewsTest {
  private static final Rockpool POOL = Rockpool.inMemory();

  @AfterAll
  static void close() {
    POOL.close();
  }

  static Stream<ConcurrentMap<byte[], byte[]>> maps() {
    return Stream.of(
        POOL.cache("cache", byte[].class, byte[].class).asMap(),
        POOL.cache("cold", byte[].class, byte[].class, o -> o.hotEntries(0)).asMap(),
        POOL.map("map", byte[].class, byte[].class),
        POOL.sortedMap("sorted", byte[].class, byte[].class));
  }

  private static byte[] bytes(int value) {
    return new byte[] {(byte) value, 7};
  }

  private static Map.Entry<byte[], byte[]> entry(int key, int value) {
    return Map.entry(bytes(key), bytes(value));
  }

  private static void fill(Map<byte[], byte[]> map) {
    map.clear();
    for (int i = 0; i < 5; i++) {
      map.put(bytes(i), bytes(10 + i));
    }
  }

  private static List<Integer> keys(Map<byte[], byte[]> map) {
    return map.keySet().stream().map(key -> (int) key[0]).sorted().toList();
  }

  @ParameterizedTest
  @MethodSource("maps")
  void findValues(ConcurrentMap<byte[], byte[]> map) {
    fill(map);
    assertThat(map.replace(bytes(0), bytes(10), bytes(20))).isTrue();
    assertThat(map.remove(bytes(1), bytes(11))).isTrue();
    assertThat(map.containsValue(bytes(12))).isTrue();
    assertThat(map.containsValue(bytes(11))).isFalse();
    assertThat(map.values().contains(bytes(20))).isTrue();
    assertThat(map.values().contains(bytes(10))).isFalse();
    assertThat(map.values().containsAll(List.of(bytes(12), bytes(13)))).isTrue();
    assertThat(map.values()).hasSize(4);
    assertThat(map.entrySet().contains(entry(2, 12))).isTrue();
    assertThat(map.entrySet().contains(entry(2, 13))).isFalse();
  }

  @ParameterizedTest
  @MethodSource("maps")
  void removeByEqualArrays(ConcurrentMap<byte[], byte[]> map) {
    fill(map);
    assertThat(map.values().remove(bytes(10))).isTrue();
    assertThat(map.values().remove(bytes(10))).isFalse();
    assertThat(map.values().removeAll(List.of(bytes(11), bytes(99)))).isTrue();
    assertThat(keys(map)).containsExactly(2, 3, 4);
    assertThat(map.values().retainAll(List.of(bytes(12), bytes(13)))).isTrue();
    assertThat(keys(map)).containsExactly(2, 3);
  }

  @ParameterizedTest
  @MethodSource("maps")
  void removeManyByEqualArrays(ConcurrentMap<byte[], byte[]> map) {
    Collection<byte[]> some = Arrays.asList(bytes(0), bytes(1), bytes(2), bytes(50), bytes(51));
    fill(map);
    assertThat(map.keySet().removeAll(some)).isTrue();
    assertThat(keys(map)).containsExactly(3, 4);
    fill(map);
    assertThat(map.keySet().retainAll(some)).isTrue();
    assertThat(keys(map)).containsExactly(0, 1, 2);
    assertThat(map.keySet().retainAll(some)).isFalse();
    Collection<Map.Entry<byte[], byte[]>> entries =
        List.of(entry(0, 10), entry(1, 99), entry(60, 1), entry(61, 1), entry(62, 1));
    fill(map);
    assertThat(map.entrySet().removeAll(entries)).isTrue();
    assertThat(keys(map)).containsExactly(1, 2, 3, 4);
    fill(map);
    assertThat(map.entrySet().retainAll(entries)).isTrue();
    assertThat(keys(map)).containsExactly(0);
  }
}
