package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.rockpool.codec.TypeRef;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentStructure;
import io.rockpool.structure.StructureOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each structure opens by classes or types, with and without options. */
class StructureOpenerTest {
  private static final TypeRef<List<String>> LISTS = new TypeRef<>() {};
  private static final TypeRef<String> TEXT = TypeRef.of(String.class);
  @TempDir Path directory;
  private Rockpool pool;

  @BeforeEach
  void open() {
    pool = Rockpool.open(directory);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private static StructureOptions forADay(StructureOptions options) {
    return options.entryTtl(Duration.ofDays(1));
  }

  private void assertLivesForADay(PersistentStructure structure) {
    assertThat(pool.names().find(structure.name()).orElseThrow().options())
        .containsEntry("entry-ttl", "PT24H");
  }

  @Test
  void opensWithAChangeOfTheDefaultOptions() {
    assertLivesForADay(pool.map("map", String.class, Long.class, StructureOpenerTest::forADay));
    assertLivesForADay(pool.set("set", String.class, StructureOpenerTest::forADay));
    assertLivesForADay(
        pool.table("table", String.class, Long.class, Long.class, StructureOpenerTest::forADay));
    assertLivesForADay(pool.value("value", String.class, StructureOpenerTest::forADay));
    assertLivesForADay(pool.counter("counter", StructureOpenerTest::forADay));
    assertLivesForADay(
        pool.sortedMap("sortedMap", String.class, Long.class, StructureOpenerTest::forADay));
    assertLivesForADay(pool.sortedSet("sortedSet", String.class, StructureOpenerTest::forADay));
    assertLivesForADay(pool.deque("deque", String.class, StructureOpenerTest::forADay));
    assertLivesForADay(pool.scoredSet("scoredSet", String.class, StructureOpenerTest::forADay));
    PersistentDeque<String> bounded = pool.deque("mail", String.class, o -> o.capacity(3));
    assertThat(bounded.remainingCapacity()).isEqualTo(3);
    assertThatNullPointerException().isThrownBy(() -> pool.set("none", String.class, o -> null));
    assertThat(pool.names().find("none")).isEmpty();
  }

  @Test
  void opensByTypesWithTypeArguments() {
    pool.map("map", TEXT, LISTS).put("a", List.of("1"));
    assertThat(pool.map("map", TEXT, LISTS)).containsEntry("a", List.of("1"));
    assertThat(pool.set("set", TEXT).add("a")).isTrue();
    pool.table("table", TEXT, TEXT, LISTS).put("a", "b", List.of("1"));
    assertThat(pool.table("table", TEXT, TEXT, LISTS).get("a", "b")).containsExactly("1");
    pool.value("value", LISTS).set(List.of("1"));
    assertThat(pool.value("value", LISTS).get()).containsExactly("1");
    pool.sortedMap("sortedMap", TEXT, LISTS).put("a", List.of("1"));
    assertThat(pool.sortedMap("sortedMap", TEXT, LISTS).firstKey()).isEqualTo("a");
    assertThat(pool.sortedSet("sortedSet", TEXT).add("a")).isTrue();
    assertThat(pool.deque("deque", LISTS).add(List.of("1"))).isTrue();
    assertThat(pool.scoredSet("scoredSet", TEXT)).isEmpty();
  }
}
