package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.util.Date;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** To change an instance that went in, or came out, changes nothing in any structure. */
@SuppressWarnings("JavaUtilDate") // what can be changed is what is tested
class MutableElementsTest {
  @TempDir Path directory;
  private StoreUnderTest store;

  private Date date;

  private void open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    date = new Date(1);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void keysAndValuesOfMapsStayAsTheyWere(Kind kind) {
    open(kind);
    PersistentMap<Date, byte[]> map = store.pool().map("map", Date.class, byte[].class);
    PersistentSortedMap<Date, byte[]> sorted =
        store.pool().sortedMap("sorted", Date.class, byte[].class);
    byte[] value = {1};
    map.put(date, value);
    sorted.put(date, value);
    date.setTime(2);
    value[0] = 2;
    map.get(new Date(1))[0] = 3;
    map.keySet().iterator().next().setTime(3);
    sorted.firstKey().setTime(3);
    assertThat(map).containsOnlyKeys(new Date(1));
    assertThat(map.get(new Date(1))).containsExactly(1);
    assertThat(sorted.firstEntry().getKey()).isEqualTo(new Date(1));
    assertThat(sorted.firstEntry().getValue()).containsExactly(1);
    assertThat(map.containsKey(date)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void elementsOfSetsAndDequesStayAsTheyWere(Kind kind) {
    open(kind);
    PersistentSet<Date> set = store.pool().set("set", Date.class);
    PersistentScoredSet<Date> scored = store.pool().scoredSet("scored", Date.class);
    PersistentDeque<Date> deque = store.pool().deque("deque", Date.class);
    PersistentValue<Date> single = store.pool().value("value", Date.class);
    set.add(date);
    scored.add(date, 1);
    deque.add(date);
    single.set(date);
    date.setTime(2);
    set.iterator().next().setTime(3);
    scored.first().orElseThrow().element().setTime(3);
    deque.peekFirst().setTime(3);
    single.get().setTime(3);
    assertThat(set).containsExactly(new Date(1));
    assertThat(scored).containsExactly(new Date(1));
    assertThat(deque).containsExactly(new Date(1));
    assertThat(single.get()).isEqualTo(new Date(1));
    assertThat(set.remove(date)).isFalse();
    assertThat(scored.remove(new Date(1))).isTrue();
  }
}
