package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentValueTest {
  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentValue<String> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().value("greeting", String.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void keepsItsValue(Kind kind) {
    PersistentValue<String> value = open(kind);
    assertThat(value.get()).isNull();
    value.set("hello");
    assertThat(value.getAndSet("hi")).isEqualTo("hello");
    assertThat(value.isPresent()).isTrue();
    PersistentValue<String> again = store.reopen().value("greeting", String.class);
    assertThat(again.get()).isEqualTo("hi");
    assertThat(again.getAndSet(null)).isEqualTo("hi");
    assertThat(again.isPresent()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void comparesAndSets(Kind kind) {
    PersistentValue<String> value = open(kind);
    assertThat(value.compareAndSet(null, null)).isTrue();
    assertThat(value.compareAndSet("a", "b")).isFalse();
    assertThat(value.compareAndSet(null, "a")).isTrue();
    assertThat(value.compareAndSet(null, "b")).isFalse();
    assertThat(value.compareAndSet("a", "b")).isTrue();
    assertThat(value.compareAndSet("b", null)).isTrue();
    assertThat(value.get()).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void setsOnceOnly(Kind kind) {
    PersistentValue<String> value = open(kind);
    assertThat(value.getOptional()).isEmpty();
    assertThat(value.setIfAbsent("a", Duration.ofSeconds(1))).isTrue();
    assertThat(value.setIfAbsent("b")).isFalse();
    assertThat(value.setIfAbsent("b", Duration.ofSeconds(9))).isFalse();
    assertThat(value.getOptional()).contains("a");
    assertThat(value.clearsIn()).contains(Duration.ofSeconds(1));
    store.clock.advanceMillis(1_000);
    assertThat(value.setIfAbsent("c", Duration.ZERO)).isTrue();
    assertThat(value.isPresent()).isFalse();
    assertThat(value.setIfAbsent("d")).isTrue();
    assertThat(value.get()).isEqualTo("d");
    assertThat(value.clearsIn()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void updates(Kind kind) {
    PersistentValue<String> value = open(kind);
    List<String> told = new ArrayList<>();
    value.addListener((before, after) -> told.add(before + " " + after));
    assertThat(value.updateAndGet(old -> old == null ? "a" : old + "b")).isEqualTo("a");
    assertThat(value.getAndUpdate(old -> old + "b")).isEqualTo("a");
    assertThat(value.updateAndGet(old -> null)).isNull();
    assertThat(told).containsExactly("null a", "a ab", "ab null");
  }

  @ParameterizedTest
  @EnumSource
  void expires(Kind kind) {
    PersistentValue<String> value = open(kind);
    value.set("a", Duration.ofSeconds(1));
    value.updateAndGet(old -> old + "b");
    assertThat(value.clearsIn()).contains(Duration.ofSeconds(1));
    store.clock.advanceMillis(1_000);
    assertThat(value.get()).isNull();
    value.set("a");
    assertThat(value.clearsIn()).isEmpty();
    value.clearAt(store.clock.instant());
    assertThat(value.get()).isNull();
    assertThat(value.clearsIn()).isEmpty();
  }
}
