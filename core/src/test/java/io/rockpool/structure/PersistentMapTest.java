package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentMapTest {
  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentMap<String, Long> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().map("shop/stock", String.class, Long.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void keepsWhatWasPut(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    assertThat(map.put("a", 1L)).isNull();
    assertThat(map.put("a", 2L)).isEqualTo(1);
    assertThat(map.putIfAbsent("a", 3L)).isEqualTo(2);
    assertThat(map.putIfAbsent("b", 3L)).isNull();
    assertThat(map.remove("b")).isEqualTo(3);
    PersistentMap<String, Long> again = store.reopen().map("shop/stock", String.class, Long.class);
    assertThat(again).containsExactly(Map.entry("a", 2L)).hasSize(1);
    assertThatThrownBy(() -> map.get("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("shop/stock");
  }

  @ParameterizedTest
  @EnumSource
  void computesAndMerges(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    assertThat(map.merge("a", 1L, Long::sum)).isEqualTo(1);
    assertThat(map.merge("a", 5L, Long::sum)).isEqualTo(6);
    assertThat(map.computeIfPresent("a", (k, v) -> null)).isNull();
    assertThat(map.containsKey("a")).isFalse();
    assertThat(map.computeIfAbsent("a", k -> 7L)).isEqualTo(7);
    assertThat(map.compute("a", (k, v) -> v + 1)).isEqualTo(8);
    assertThat(map.replace("a", 7L, 9L)).isFalse();
    assertThat(map.replace("a", 8L, 9L)).isTrue();
    assertThat(map.remove("a", 8L)).isFalse();
    assertThat(map.remove("a", 9L)).isTrue();
    assertThat(map).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void entriesExpire(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    map.put("a", 1L, Duration.ofSeconds(1));
    map.put("b", 1L, Duration.ofSeconds(1));
    map.put("c", 1L);
    map.merge("a", 1L, Long::sum);
    assertThat(map.persist("b")).isTrue();
    assertThat(map.ttl("a")).contains(Duration.ofSeconds(1));
    assertThat(map.ttl("b")).contains(PersistentStructure.FOREVER);
    assertThat(map.expireAfter("c", Duration.ZERO)).isTrue();
    store.clock.advanceMillis(1_000);
    assertThat(map.ttl("a")).isEmpty();
    assertThat(map.keySet()).containsExactly("b");
  }

  @ParameterizedTest
  @EnumSource
  void walksOverManyPagesWhileItChanges(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    Map<String, Long> expected = new HashMap<>();
    for (long i = 0; i < 1_000; i++) {
      map.put("key-" + i, i);
      expected.put("key-" + i, i);
    }
    assertThat(map).hasSize(1_000).isEqualTo(expected);
    Iterator<Map.Entry<String, Long>> walk = map.entrySet().iterator();
    while (walk.hasNext()) {
      Map.Entry<String, Long> entry = walk.next();
      if (entry.getValue() % 2 == 0) {
        walk.remove();
      } else {
        entry.setValue(-entry.getValue());
      }
    }
    expected.values().removeIf(value -> value % 2 == 0);
    expected.replaceAll((key, value) -> -value);
    assertThat(map).isEqualTo(expected).hasSize(500);
    assertThat(map.hashCode()).isEqualTo(expected.hashCode());
  }

  @ParameterizedTest
  @EnumSource
  void worksInBatches(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    Map<String, Long> all = new HashMap<>();
    for (long i = 0; i < 3_000; i++) {
      all.put("key-" + i, i);
    }
    map.putAll(all);
    map.putAll(all);
    assertThat(map).hasSize(3_000);
    assertThat(map.getAll(all.keySet())).isEqualTo(all);
    assertThat(map.getAll(List.of("key-7", "none", "key-3")).keySet())
        .containsExactly("key-7", "key-3");
    assertThat(map.removeAll(all.keySet())).isEqualTo(3_000);
    assertThat(map.removeAll(all.keySet())).isZero();
    assertThat(map).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void increments(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    map.put("a", 1L, Duration.ofSeconds(1));
    assertThat(map.increment("a", 5)).isEqualTo(6);
    assertThat(map.increment("b", -5)).isEqualTo(-5);
    map.put("c", Long.MAX_VALUE);
    assertThatThrownBy(() -> map.increment("c", 1)).isInstanceOf(ArithmeticException.class);
    assertThat(map.get("c")).isEqualTo(Long.MAX_VALUE);
    store.clock.advanceMillis(1_000);
    assertThat(map.increment("a", 1)).isEqualTo(1);
    PersistentMap<String, Integer> small = store.pool().map("i", String.class, Integer.class);
    assertThat(small.increment("a", 3)).isEqualTo(3);
    PersistentMap<String, String> text = store.pool().map("s", String.class, String.class);
    assertThatThrownBy(() -> text.increment("a", 3))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("merge");
  }

  @ParameterizedTest
  @EnumSource
  void isTheSameObjectUnderOneName(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    Rockpool pool = store.pool();
    assertThat(pool.map("shop/stock", String.class, Long.class)).isSameAs(map);
    StructureOptions others = StructureOptions.defaults().entryTtl(Duration.ofDays(1));
    assertThatThrownBy(
            () -> pool.map("shop/stock", TypeRef.of(String.class), TypeRef.of(Long.class), others))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("other options");
  }

  @ParameterizedTest
  @EnumSource
  void tellsListenersAfterTheChange(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    List<String> told = new ArrayList<>();
    Registration bad =
        map.addListener(
            (key, before, after) -> {
              throw new IllegalArgumentException("thrown on purpose");
            });
    Registration registration =
        map.addListener((key, before, after) -> told.add(key + " " + before + " " + after));
    map.put("a", 1L);
    map.replace("b", 1L);
    map.merge("a", 1L, Long::sum);
    map.remove("a");
    map.remove("a");
    registration.close();
    bad.close();
    map.put("a", 1L);
    assertThat(told).containsExactly("a null 1", "a 1 2", "a 2 null");
  }
}
