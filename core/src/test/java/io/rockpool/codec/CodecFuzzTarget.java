package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What a fuzzer throws at each codec: the first byte of an input says at which, the others are the
 * encoded value. It is decoded, or undecodable; nothing else may happen.
 */
public final class CodecFuzzTarget {
  record Line(String sku, int count, BigDecimal price) implements Serializable {}

  record Order(
      UUID id,
      Instant at,
      List<Line> lines,
      Map<String, Object> more,
      DayOfWeek day,
      Order previous)
      implements Serializable {}

  record Key(String a, BigInteger b, Long c, ZonedDateTime d, DayOfWeek e, LocalDate f) {}

  private static final Order ORDER =
      new Order(
          new UUID(1, 2),
          Instant.ofEpochSecond(3),
          new ArrayList<>(List.of(new Line("a", 1, BigDecimal.ONE))),
          new TreeMap<>(Map.of("k", 1L)),
          DayOfWeek.MONDAY,
          null);

  private static final Key KEY =
      new Key(
          "a\0é",
          BigInteger.TEN.pow(20),
          5L,
          ZonedDateTime.parse("2024-10-27T02:30+01:00[Europe/Paris]"),
          DayOfWeek.FRIDAY,
          LocalDate.EPOCH);

  /** One codec, and something to begin with. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Target(Codec<?> codec, byte[] seed) {
    static <T> Target of(Codec<T> codec, T value) {
      return new Target(codec, codec.encode(value));
    }
  }

  private static final List<Target> TARGETS = targets();

  private CodecFuzzTarget() {}

  private static List<Target> targets() {
    Codecs fory = Codecs.defaults();
    Codecs java = Codecs.builder().fallback(Fallback.JAVA_SERIALIZATION).build();
    List<Target> targets = new ArrayList<>();
    targets.add(Target.of(fory.valueCodec(TypeRef.of(Order.class)), ORDER));
    targets.add(Target.of(java.valueCodec(TypeRef.of(Order.class)), ORDER));
    targets.add(
        Target.of(fory.valueCodec(TypeRef.of(Object.class)), new ArrayList<>(List.of(1, "x"))));
    targets.add(Target.of(fory.keyCodec(TypeRef.of(Key.class)), KEY));
    targets.add(Target.of(fory.keyCodec(TypeRef.of(DayOfWeek.class)), DayOfWeek.MONDAY));
    targets.add(Target.of(fory.valueCodec(TypeRef.of(DayOfWeek.class)), DayOfWeek.SUNDAY));
    List<Class<?>> types = new ArrayList<>();
    BuiltInCodecs.forEachValueCodec((type, codec) -> types.add(type));
    types.sort((a, b) -> a.getName().compareTo(b.getName()));
    byte[] text = "2024-10-27T02:30+01:00".getBytes(StandardCharsets.UTF_8);
    for (Class<?> type : types) {
      targets.add(new Target(fory.valueCodec(TypeRef.of(type)), text));
      if (BuiltInCodecs.ordered(type) != null) {
        targets.add(new Target(Objects.requireNonNull(BuiltInCodecs.ordered(type)), text));
      }
    }
    return targets;
  }

  /** Loads what the first input would have to wait for. */
  public static void fuzzerInitialize() {
    for (byte[] seed : seeds()) {
      fuzzerTestOneInput(seed);
    }
  }

  /** One input. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    Codec<?> codec = TARGETS.get((input[0] & 0xFF) % TARGETS.size()).codec();
    Object value;
    try {
      value = codec.decode(input, 1, input.length - 1);
    } catch (UndecodableValueException refused) {
      return;
    }
    Objects.requireNonNull(value, codec.id());
  }

  /** A value of each codec, or bytes of no value. */
  public static List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (int i = 0; i < TARGETS.size(); i++) {
      byte[] value = TARGETS.get(i).seed();
      byte[] seed = new byte[1 + value.length];
      seed[0] = (byte) i;
      System.arraycopy(value, 0, seed, 1, value.length);
      seeds.add(seed);
    }
    return seeds;
  }
}
