package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.testing.Slow;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the bytes are: a value, or an UndecodableValueException. */
@Slow
class DamagedBytesTest {
  private static final long SEED = Long.getLong("rockpool.test.seed", System.nanoTime());
  private static final int FLIPS = 20_000;

  record Line(String sku, int count, BigDecimal price) implements Serializable {}

  @SuppressWarnings("ArrayRecordComponent")
  record Order(
      UUID id,
      Instant at,
      List<Line> lines,
      Map<String, Object> more,
      DayOfWeek day,
      long[] marks,
      Order previous)
      implements Serializable {}

  record Key(String a, BigInteger b, Long c, ZonedDateTime d, DayOfWeek e, LocalDate f) {}

  private static final Order ORDER =
      new Order(
          new UUID(1, 2),
          Instant.ofEpochSecond(3),
          new ArrayList<>(
              List.of(new Line("a", 1, BigDecimal.ONE), new Line("é", -2, BigDecimal.TEN))),
          new TreeMap<>(Map.of("k", 1L, "l", new ArrayList<>(List.of("x", 2.5)))),
          DayOfWeek.MONDAY,
          new long[] {1, 2, 3},
          new Order(null, null, null, null, null, null, null));

  private static final Key KEY =
      new Key(
          "a\0é",
          BigInteger.TEN.pow(400),
          5L,
          ZonedDateTime.parse("2024-10-27T02:30+01:00[Europe/Paris]"),
          DayOfWeek.FRIDAY,
          LocalDate.EPOCH);

  static Stream<Arguments> codecs() {
    Codecs codecs = Codecs.defaults();
    Codecs java = Codecs.builder().fallback(Fallback.JAVA_SERIALIZATION).build();
    return Stream.of(
        given("fory", codecs.valueCodec(TypeRef.of(Order.class)), ORDER),
        given("java", java.valueCodec(TypeRef.of(Order.class)), ORDER),
        given("any", codecs.valueCodec(TypeRef.of(Object.class)), new ArrayList<>(List.of(1, "x"))),
        given("record", codecs.keyCodec(TypeRef.of(Key.class)), KEY),
        given("string", codecs.valueCodec(TypeRef.of(String.class)), "aé日😀 plain text"),
        given("decimal", codecs.keyCodec(TypeRef.of(BigDecimal.class)), new BigDecimal("-12.500")),
        given("integer", codecs.keyCodec(TypeRef.of(BigInteger.class)), BigInteger.TEN.pow(400)),
        given("locale", codecs.valueCodec(TypeRef.of(Locale.class)), Locale.CHINA),
        given("enum", codecs.valueCodec(TypeRef.of(DayOfWeek.class)), DayOfWeek.SUNDAY));
  }

  private static <T> Arguments given(String name, Codec<T> codec, T value) {
    return Arguments.of(Named.of(name, codec), value);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  <T> void aFlippedBitIsAValueOrUndecodable(Codec<T> codec, T value) {
    byte[] bytes = codec.encode(value);
    Random random = new Random(SEED);
    int flips = codec.id().equals("fory") ? FLIPS : FLIPS / 10;
    for (int i = 0; i < flips; i++) {
      byte[] flipped = bytes.clone();
      for (int n = random.nextInt(3); n >= 0; n--) {
        flipped[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      decodeOrRefuse(codec, flipped, 0, flipped.length);
    }
    T back = codec.decode(bytes, 0, bytes.length);
    assertThat(codec.encode(back)).as("still works afterwards").isEqualTo(bytes);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  <T> void cutOrGarbageBytesAreAValueOrUndecodable(Codec<T> codec, T value) {
    byte[] bytes = codec.encode(value);
    for (int length = 0; length < bytes.length; length++) {
      decodeOrRefuse(codec, Arrays.copyOf(bytes, length), 0, length);
      decodeOrRefuse(codec, bytes, 0, length);
      decodeOrRefuse(codec, bytes, length, bytes.length - length);
    }
    Random random = new Random(SEED);
    for (int i = 0; i < 1_000; i++) {
      byte[] garbage = new byte[random.nextInt(200)];
      random.nextBytes(garbage);
      if (garbage.length > 0 && random.nextBoolean()) {
        garbage[0] = bytes[0];
      }
      decodeOrRefuse(codec, garbage, 0, garbage.length);
    }
  }

  private static void decodeOrRefuse(Codec<?> codec, byte[] bytes, int offset, int length) {
    try {
      assertThat(codec.decode(bytes, offset, length)).isNotNull();
    } catch (UndecodableValueException expected) {
      assertThat(expected.getMessage()).isNotEmpty();
    } catch (Throwable e) {
      throw new AssertionError("seed " + SEED + ": " + Arrays.toString(bytes), e);
    }
  }

  @Test
  void aValueThatIsCutByOneByteIsNeverRead() {
    Codec<Order> codec = Codecs.defaults().valueCodec(TypeRef.of(Order.class));
    byte[] bytes = codec.encode(ORDER);
    assertThatThrownBy(() -> codec.decode(bytes, 0, bytes.length - 1))
        .isInstanceOf(UndecodableValueException.class);
    assertThatThrownBy(
            () -> codec.decode(Arrays.copyOf(bytes, bytes.length + 1), 0, bytes.length + 1))
        .isInstanceOf(UndecodableValueException.class);
  }

  @Test
  void anotherCodecsValueIsNamed() {
    byte[] text = Codecs.defaults().valueCodec(TypeRef.of(String.class)).encode("x");
    assertThatThrownBy(
            () -> Codecs.defaults().valueCodec(TypeRef.of(Order.class)).decode(text, 0, 2))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("written by codec 'string' (tag 01)")
        .hasMessageContaining("codec 'fory' (tag F0) was expected");
  }
}
