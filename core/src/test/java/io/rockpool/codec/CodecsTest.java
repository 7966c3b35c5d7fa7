package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CodecsTest {
  private final Codecs codecs = Codecs.defaults();

  record Point(int x, int y) {}

  record Pair<A, B>(A first, B second) {}

  record Tagged(String name, Set<String> tags) {}

  record Chain(String name, Optional<Chain> next) {}

  record Loop(String name, Loop next) implements Serializable {}

  record Checked(int age) {
    Checked {
      if (age < 0) {
        throw new IllegalArgumentException("age " + age);
      }
    }
  }

  /** Not a record, and with what it needs to be a key. */
  static class LegacyKey {
    private final String name;
    private final int number;
    private transient int hash;

    LegacyKey(String name, int number) {
      this.name = name;
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof LegacyKey that && name.equals(that.name) && number == that.number;
    }

    @Override
    public int hashCode() {
      if (hash == 0) {
        hash = name.hashCode() + number;
      }
      return hash;
    }
  }

  static final class Reversed implements Codec<String> {
    private final String id;

    Reversed(String id) {
      this.id = id;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public byte[] encode(String value) {
      return new StringBuilder(value).reverse().toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
      String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
      return new StringBuilder(text).reverse().toString();
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  private static <T> T roundTrip(Codec<T> codec, T value) {
    byte[] bytes = codec.encode(value);
    return codec.decode(bytes, 0, bytes.length);
  }

  @Test
  void aRegisteredCodecComesFirstAndHasTheUsersTag() {
    Codecs own = Codecs.builder().register(String.class, new Reversed("reversed")).build();
    assertThat(own.keyCodec(TypeRef.of(String.class)).encode("abc")).containsExactly('c', 'b', 'a');
    Codec<String> values = own.valueCodec(TypeRef.of(String.class));
    assertThat(values.id()).isEqualTo("reversed");
    assertThat(values.encode("ab")).containsExactly(0xFF, 'b', 'a');
    assertThat(roundTrip(values, "abc")).isEqualTo("abc");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> own.orderedFor(TypeRef.of(String.class)))
        .withMessageContaining("java.lang.String");
  }

  @Test
  void roomIsLeftBeforeTheBytesOfAnyCodec() {
    Codecs own = Codecs.builder().register(String.class, new Reversed("reversed")).build();
    assertThat(new Reversed("reversed").encode("ab", 2)).containsExactly(0, 0, 'b', 'a');
    assertThat(own.valueCodec(TypeRef.of(String.class)).encode("ab", 1))
        .containsExactly(0, 0xFF, 'b', 'a');
    assertThat(codecs.valueCodec(TypeRef.of(String.class)).encode("ab", 3))
        .containsExactly(0, 0, 0, 1, 'a', 'b');
  }

  @Test
  void aUsersCodecMustNotTakeTheIdOfTheLibrarys() {
    for (String id : List.of("string", "fory", "java", "any", "ordered:mine", "text:mine")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Codecs.builder().register(String.class, new Reversed(id)))
          .withMessageContaining(id);
    }
  }

  @Test
  void aRecordIsSortedAsAKeyAndEvolvesAsAValue() {
    assertThat(codecs.keyCodec(TypeRef.of(Point.class)).id())
        .isEqualTo("ordered:record(x ordered:int,y ordered:int)");
    assertThat(codecs.valueCodec(TypeRef.of(Point.class)).id()).isEqualTo("fory");
    TypeRef<Pair<String, Pair<Long, byte[]>>> nested = new TypeRef<>() {};
    assertThat(codecs.keyCodec(nested).id())
        .isEqualTo(
            "ordered:record(first string,second ordered:record(first ordered:long,second bytes))");
    assertThat(codecs.keyCodec(nested).immutable()).isFalse();
  }

  @Test
  void aTypeThatDoesNotSortIsNamed() {
    for (TypeRef<?> type :
        List.of(
            TypeRef.of(Tagged.class),
            TypeRef.of(Loop.class),
            TypeRef.of(Object.class),
            new TypeRef<List<String>>() {},
            new TypeRef<Pair<String, Object>>() {})) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> codecs.orderedFor(type))
          .withMessageContaining(type.toString());
    }
  }

  @Test
  void aKeyTypeWhoseKeysWouldComeBackAsOthersIsRefused() {
    for (TypeRef<?> type :
        List.of(TypeRef.of(HashSet.class), new TypeRef<ArrayList<String>[]>() {})) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> codecs.keyCodec(type))
          .withMessageContaining(type.toString())
          .withMessageContaining("Declare the key as List, Set, Map");
    }
  }

  @Test
  void aKeyThatOnlyItsEqualsTellsIsForCaches() {
    assertThatThrownBy(
            () -> codecs.keyCodec(TypeRef.of(LegacyKey.class)).encode(new LegacyKey("a", 1)))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining(LegacyKey.class.getName())
        .hasMessageContaining("a collection finds its elements by their bytes")
        .hasMessageContaining("make it a record");
    Codec<LegacyKey> legacy = codecs.cacheKeyCodec(TypeRef.of(LegacyKey.class));
    LegacyKey used = new LegacyKey("a", 1);
    assertThat(used.hashCode()).isNotZero();
    byte[] bytes = legacy.encode(used);
    int common = KeyCodec.commonBytes(bytes);
    assertThat(common).isEqualTo(7).isLessThan(bytes.length);
    assertThat(legacy.encode(new LegacyKey("a", 1)))
        .startsWith(java.util.Arrays.copyOf(bytes, common));
    assertThat(roundTrip(legacy, used)).isEqualTo(used);
    Codec<Pair<Chain, Chain>> chains = codecs.keyCodec(new TypeRef<>() {});
    Chain shared = new Chain("x", Optional.of(new Chain("y", Optional.empty())));
    Chain equal = new Chain("x", Optional.of(new Chain("y", Optional.empty())));
    assertThat(chains.encode(new Pair<>(shared, shared)))
        .isEqualTo(chains.encode(new Pair<>(shared, equal)));
  }

  @Test
  void aNullComponentOfAKeyIsRefusedByName() {
    Codec<Pair<String, Long>> keys = codecs.keyCodec(new TypeRef<>() {});
    assertThatNullPointerException()
        .isThrownBy(() -> keys.encode(new Pair<>("a", null)))
        .withMessageContaining("'second'");
  }

  @Test
  void aConstructorThatRefusesStoredComponentsMakesThemUndecodable() {
    byte[] minusOne = codecs.orderedFor(TypeRef.of(Integer.class)).encode(-1);
    assertThatThrownBy(() -> codecs.keyCodec(TypeRef.of(Checked.class)).decode(minusOne, 0, 4))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageNotContaining("age -1") // which may be a secret
        .cause()
        .hasMessageContaining("age -1");
  }

  @Test
  void anUndeclaredValueIsWrittenAsWhatItIs() {
    Codec<Object> any =
        Codecs.builder().allow(Point.class).build().valueCodec(TypeRef.of(Object.class));
    assertThat(any.id()).isEqualTo("any");
    assertThat(any.encode("a")).containsExactly(1, 'a');
    for (Object value :
        List.of("a", 1L, DayOfWeek.MONDAY, new Point(1, 2), new ArrayList<>(List.of(1)))) {
      assertThat(roundTrip(any, value)).isEqualTo(value);
    }
    Codec<Number> numbers = codecs.valueCodec(TypeRef.of(Number.class));
    assertThat(roundTrip(numbers, new BigDecimal("1.50"))).isEqualTo(new BigDecimal("1.50"));
    byte[] text = any.encode("a");
    assertThatThrownBy(() -> numbers.decode(text, 0, 2))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("java.lang.String");
  }

  @Test
  void anUndeclaredKeyIsWrittenAsWhatItIs() {
    Codec<Object> any = codecs.keyCodec(TypeRef.of(Object.class));
    assertThat(any.id()).isEqualTo("key");
    for (Object key : List.of(5, "a", new Point(1, 2), Set.of("a"), DayOfWeek.MONDAY)) {
      assertThat(roundTrip(any, key)).isEqualTo(key);
    }
    Codec<Number> numbers = codecs.keyCodec(TypeRef.of(Number.class));
    byte[] text = any.encode("a");
    assertThatThrownBy(() -> numbers.decode(text, 0, text.length))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("java.lang.String");
  }

  @Test
  void whatIsKnownToBeImmutableIsSaidToBe() {
    assertThat(codecs.valueCodec(TypeRef.of(Point.class)).immutable()).isTrue();
    assertThat(codecs.valueCodec(TypeRef.of(Chain.class)).immutable()).isTrue();
    assertThat(codecs.valueCodec(TypeRef.of(Loop.class)).immutable()).isTrue();
    assertThat(codecs.valueCodec(new TypeRef<Pair<String, Long>>() {}).immutable()).isTrue();
    assertThat(codecs.valueCodec(new TypeRef<Pair<String, int[]>>() {}).immutable()).isFalse();
    assertThat(codecs.valueCodec(TypeRef.of(Tagged.class)).immutable()).isFalse();
    assertThat(codecs.valueCodec(TypeRef.of(LegacyKey.class)).immutable()).isFalse();
    assertThat(codecs.valueCodec(TypeRef.of(byte[].class)).immutable()).isFalse();
    assertThat(codecs.valueCodec(TypeRef.of(Object.class)).immutable()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void whatWouldNotComeBackIsNotWritten(Fallback fallback) {
    Codecs own = Codecs.builder().fallback(fallback).build();
    Codec<Loop> loops = own.valueCodec(TypeRef.of(Loop.class));
    assertThat(roundTrip(loops, loop(Nesting.MAX_DEPTH - 10))).isNotNull();
    for (int length : new int[] {Nesting.MAX_DEPTH + 10, 100_000}) {
      assertThatThrownBy(() -> loops.encode(loop(length)))
          .isInstanceOf(UnencodableValueException.class);
    }
    Codec<Object> any = own.valueCodec(TypeRef.of(Object.class));
    List<Object> nested = new ArrayList<>();
    for (int i = 0; i < Nesting.MAX_DEPTH + 10; i++) {
      nested = new ArrayList<>(List.of(nested));
    }
    List<Object> tooDeep = nested;
    assertThatThrownBy(() -> any.encode(tooDeep)).isInstanceOf(UnencodableValueException.class);
    assertThat(roundTrip(loops, loop(1))).isEqualTo(loop(1));
  }

  @Test
  void onlyATypeThatCanNestIsEncodedOnTrial() {
    assertThat(Nesting.isBounded(Point.class)).isTrue();
    assertThat(Nesting.isBounded(new TypeRef<Map<String, List<Point>>>() {}.type())).isTrue();
    assertThat(Nesting.isBounded(new TypeRef<Pair<int[], Optional<Point>>>() {}.type())).isTrue();
    assertThat(Nesting.isBounded(Tagged.class)).isTrue();
    assertThat(Nesting.isBounded(Loop.class)).isFalse();
    assertThat(Nesting.isBounded(Chain.class)).isFalse();
    assertThat(Nesting.isBounded(List.class)).isFalse();
    BuiltInCodecs.forEachValueCodec((type, codec) -> assertThat(Nesting.isBounded(type)).isTrue());
    assertThat(Nesting.isBounded(new TypeRef<List<?>>() {}.type())).isFalse();
    assertThat(Nesting.isBounded(LegacyKey.class)).isFalse();
  }

  private static Loop loop(int length) {
    Loop loop = null;
    for (int i = 0; i < length; i++) {
      loop = new Loop("n", loop);
    }
    return loop;
  }

  @Test
  void aLargeValueComesBack() {
    Codec<List<String>> lists = codecs.valueCodec(new TypeRef<>() {});
    List<String> large = new ArrayList<>();
    for (int i = 0; i < 300_000; i++) {
      large.add("element " + i);
    }
    assertThat(roundTrip(lists, large)).isEqualTo(large);
    assertThat(roundTrip(lists, Collections.unmodifiableList(large))).isEqualTo(large);
  }

  @Test
  void whatHasNoFormIsRefused() {
    assertThatThrownBy(
            () -> codecs.valueCodec(TypeRef.of(Locale.class)).encode(new Locale("x_y", "z")))
        .isInstanceOf(UnencodableValueException.class);
    assertThatThrownBy(
            () ->
                codecs
                    .orderedFor(TypeRef.of(BigDecimal.class))
                    .encode(BigDecimal.TEN.pow(DecimalOrderCodec.MAX_DIGITS)))
        .isInstanceOf(UnencodableValueException.class);
    BigDecimal longest = BigDecimal.TEN.pow(DecimalOrderCodec.MAX_DIGITS - 1);
    assertThat(roundTrip(codecs.orderedFor(TypeRef.of(BigDecimal.class)), longest))
        .isEqualTo(longest);
  }

  @Test
  void aMovedEnumConstantIsAnErrorInAKeyAndNoneInAValue() {
    byte[] moved = {0, 5, 'M', 'O', 'N', 'D', 'A', 'Y'};
    assertThatThrownBy(
            () -> codecs.orderedFor(TypeRef.of(DayOfWeek.class)).decode(moved, 0, moved.length))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("was number 5")
        .hasMessageContaining("is number 0 now");
    assertThat(codecs.codecFor(TypeRef.of(DayOfWeek.class)).decode(moved, 2, 6))
        .isEqualTo(DayOfWeek.MONDAY);
  }
}
