package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.structure.StoreUnderTest.Kind;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What increments do with each type of values. */
class IncrementTest {
  @TempDir Path directory;
  private StoreUnderTest store;

  private <V> PersistentMap<String, V> open(Kind kind, Class<V> valueType) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().map("sums", String.class, valueType);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void addsFractionsToDoublesLikeJava(Kind kind) {
    PersistentMap<String, Double> map = open(kind, Double.class);
    assertThat(map.increment("a", 0.1)).isEqualTo(0.1);
    assertThat(map.increment("a", 0.2)).isEqualTo(0.1 + 0.2);
    assertThat(map.increment("a", 2)).isEqualTo(0.1 + 0.2 + 2);
    map.put("max", Double.MAX_VALUE);
    assertThatThrownBy(() -> map.increment("max", Double.MAX_VALUE))
        .isInstanceOf(ArithmeticException.class);
    assertThat(map.get("max")).isEqualTo(Double.MAX_VALUE);
    for (double by : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> map.increment("a", by)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(store.reopen().map("sums", String.class, Double.class).get("a"))
        .isEqualTo(0.1 + 0.2 + 2);
  }

  @ParameterizedTest
  @EnumSource
  void addsFractionsToDecimalsExactly(Kind kind) {
    PersistentMap<String, BigDecimal> map = open(kind, BigDecimal.class);
    map.increment("a", 0.1);
    assertThat(map.increment("a", 0.2)).isEqualTo(new BigDecimal("0.3"));
    assertThat(map.increment("a", 2)).isEqualTo(new BigDecimal("2.3"));
    map.put("huge", new BigDecimal("1E+1000000000"));
    assertThatThrownBy(() -> map.increment("huge", 1)).isInstanceOf(ArithmeticException.class);
    map.put("tiny", new BigDecimal("1E-1000000000"));
    assertThatThrownBy(() -> map.increment("tiny", 0.5)).isInstanceOf(ArithmeticException.class);
    assertThat(map.get("tiny")).isEqualTo(new BigDecimal("1E-1000000000"));
  }

  @ParameterizedTest
  @EnumSource
  void addsToText(Kind kind) {
    PersistentMap<String, String> map = open(kind, String.class);
    assertThat(map.increment("a", 5)).isEqualTo("5");
    assertThat(map.increment("a", -7)).isEqualTo("-2");
    map.put("empty", "");
    assertThat(map.increment("empty", 3)).isEqualTo("3");
    map.put("redis", "10.50");
    assertThat(map.increment("redis", 0.1)).isEqualTo("10.6"); // as INCRBYFLOAT's documentation
    map.put("redis", "5.0e3");
    assertThat(map.increment("redis", 2.0e2)).isEqualTo("5200");
    assertThat(map.increment("redis", -5200.0)).isEqualTo("0");
    map.put("small", "1e-17");
    assertThat(map.increment("small", 1e-18)).isEqualTo("0.00000000000000001");
    map.put("max", "9223372036854775807");
    assertThatThrownBy(() -> map.increment("max", 1)).isInstanceOf(ArithmeticException.class);
    assertThat(map.get("max")).isEqualTo("9223372036854775807");
  }

  @ParameterizedTest
  @EnumSource(names = "MEMORY")
  void refusesOtherText(Kind kind) {
    PersistentMap<String, String> map = open(kind, String.class);
    for (String text :
        List.of("secret", "٣", "1٣", " 1", "1 ", "1.5", "0x1", "+", "9223372036854775808")) {
      map.put("a", text);
      assertThatThrownBy(() -> map.increment("a", 1))
          .as(text)
          .isInstanceOf(NumberFormatException.class)
          .hasMessageNotContaining(text + " ")
          .hasNoCause();
      assertThat(map.get("a")).isEqualTo(text);
    }
    for (String text :
        List.of("secret", "٣.٥", "1,5", " 1", "NaN", "Infinity", "1e9999", "1d", "0x1p1", ".")) {
      map.put("a", text);
      assertThatThrownBy(() -> map.increment("a", 1.5))
          .as(text)
          .isInstanceOf(NumberFormatException.class);
      assertThat(map.get("a")).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @EnumSource
  void addsToTextInBytes(Kind kind) {
    PersistentMap<String, byte[]> map = open(kind, byte[].class);
    assertThat(map.increment("a", 41)).asString(StandardCharsets.US_ASCII).isEqualTo("41");
    assertThat(map.increment("a", 0.5)).asString(StandardCharsets.US_ASCII).isEqualTo("41.5");
    assertThatThrownBy(() -> map.increment("a", 1)).isInstanceOf(NumberFormatException.class);
  }

  @ParameterizedTest
  @EnumSource(names = "MEMORY")
  void refusesFractionsOfIntegersAndOtherTypes(Kind kind) {
    PersistentMap<String, Long> map = open(kind, Long.class);
    assertThatThrownBy(() -> map.increment("a", 0.5))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("java.lang.Long")
        .hasMessageContaining("fraction");
    assertThat(map).isEmpty();
    PersistentMap<String, Boolean> others = store.pool().map("others", String.class, Boolean.class);
    assertThatThrownBy(() -> others.increment("a", 1))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @EnumSource
  void startsTimeToLiveAgain(Kind kind) {
    PersistentMap<String, Long> map = open(kind, Long.class);
    PersistentTable<String, String, String> table =
        store.pool().table("text", String.class, String.class, String.class);
    for (long i = 1; i <= 3; i++) {
      assertThat(map.incrementAndExpire("a", 1, Duration.ofSeconds(1))).isEqualTo(i);
      assertThat(table.incrementAndExpire("a", "b", 2, Duration.ofSeconds(1)))
          .isEqualTo(Long.toString(2 * i));
      assertThat(table.ttl("a", "b")).contains(Duration.ofSeconds(1));
      store.clock.advanceMillis(900);
    }
    assertThat(map.increment("a", 1, Duration.ofSeconds(1))).isEqualTo(4);
    store.clock.advanceMillis(100);
    assertThat(map).isEmpty();
    assertThat(table.isEmpty()).isTrue();
    assertThat(map.incrementAndExpire("a", 1, Duration.ZERO)).isEqualTo(1);
    assertThat(map).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void tellsListenersOfEach(Kind kind) {
    PersistentMap<String, Double> map = open(kind, Double.class);
    StringBuilder told = new StringBuilder();
    map.addListener((key, before, after) -> told.append(before).append('>').append(after));
    map.increment("a", 0.5, Duration.ofSeconds(1));
    map.increment("a", 1);
    store.clock.advanceMillis(1_000);
    map.increment("a", 1.5);
    assertThat(told).hasToString("null>0.50.5>1.5null>1.5");
  }

  @ParameterizedTest
  @EnumSource
  void joinsTransactions(Kind kind) {
    PersistentMap<String, Double> map = open(kind, Double.class);
    PersistentValue<BigDecimal> total = store.pool().value("total", BigDecimal.class);
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        tx -> {
                          map.increment("a", 0.5);
                          total.increment(0.5);
                          throw new IllegalStateException("roll back");
                        }))
        .hasMessage("roll back");
    assertThat(map).isEmpty();
    assertThat(total.get()).isNull();
    store
        .pool()
        .atomically(
            tx -> {
              map.increment("a", 0.5);
              return total.increment(0.5);
            });
    assertThat(map.get("a")).isEqualTo(0.5);
    assertThat(total.get()).isEqualByComparingTo("0.5");
  }
}
