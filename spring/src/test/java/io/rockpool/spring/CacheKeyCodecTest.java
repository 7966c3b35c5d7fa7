package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cache.interceptor.SimpleKey;

final class CacheKeyCodecTest {
  enum Size {
    S,
    L {}
  }

  record Item(String name, Size size) {}

  record Basket(List<Item> items, Optional<String> note) {}

  record Sku(String code) {}

  /** A class whose equal instances the library knows nothing of. */
  static final class Plain {
    final int number = 1;
  }

  private static final HexFormat HEX = HexFormat.of();

  private final Codec<Object> codec = codec(Codecs.defaults());

  private static Codec<Object> codec(Codecs codecs) {
    return codecs.keyCodec(TypeRef.of(Object.class));
  }

  static Stream<Arguments> golden() {
    String itemName = hex(Item.class.getName());
    String sizeName = hex(Size.class.getName());
    return Stream.of(
        key("a", "01 01 61"),
        key("", "01 00"),
        key(1L, "08 08 8000000000000001"),
        key(7, "07 04 80000007"),
        key(true, "03 01 01"),
        key(new byte[] {0, -1}, "02 02 00ff"),
        key(LocalDate.of(2024, 2, 29), "12 06 800007e8021d"),
        key(ZoneId.of("UTC"), "22 03 555443"),
        key(Locale.CANADA_FRENCH, "21 05 66722d4341"),
        key(SimpleKey.EMPTY, "42 00"),
        key(new SimpleKey("a", null, 7), "42 03 010161 00 070480000007"),
        key(new Object[] {"a"}, "43 01 010161"),
        key(List.of("b", "a"), "44 02 010162 010161"),
        key(Set.of("b", "a"), "45 02 010161 010162"),
        key(Map.of("b", 7, "a", true), "46 02 010161 030101 010162 070480000007"),
        key(Optional.of("a"), "47 01 010161"),
        key(Optional.empty(), "47 00"),
        key(new int[] {7}, "48 03 696e74 01 070480000007"),
        key(Size.L, "40" + sizeName + "01 4c"),
        key(
            new Item("x", Size.S),
            "41" + itemName + "02 04 6e616d65 010178 04 73697a65 40" + sizeName + "01 53"),
        key("x".repeat(200), "01 c801" + "78".repeat(200)));
  }

  private static Arguments key(Object key, String hex) {
    return Arguments.of(key, hex.replace(" ", ""));
  }

  /** A name with its length in front, as it stands in a key. */
  private static String hex(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    return HEX.toHexDigits((byte) bytes.length) + HEX.formatHex(bytes);
  }

  @ParameterizedTest
  @MethodSource("golden")
  void keysHaveTheseBytes(Object key, String hex) {
    assertThat(HEX.formatHex(codec.encode(key))).isEqualTo(hex);
    assertThat(decode(codec.encode(key))).isEqualTo(key);
  }

  @Test
  void equalKeysHaveEqualBytesWhateverTheirClasses() {
    assertSame(List.of(1, 2), new ArrayList<>(List.of(1, 2)), Arrays.asList(1, 2));
    assertSame(
        Set.of("a", "b", "c"),
        new TreeSet<>(Set.of("a", "b", "c")),
        new LinkedHashSet<>(List.of("c", "a", "b")));
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put("z", 1);
    map.put("a", 2);
    assertSame(map, Map.of("a", 2, "z", 1), new HashMap<>(map));
    assertSame(new SimpleKey(1, List.of("x")), new SimpleKey(1, new ArrayList<>(List.of("x"))));
    assertSame(
        new SimpleKey((Object) new String[] {"a"}), new SimpleKey((Object) new Object[] {"a"}));
    assertSame(Double.NaN, Double.longBitsToDouble(0x7ff8000000000001L));
  }

  private void assertSame(Object first, Object... others) {
    for (Object other : others) {
      assertThat(other).isEqualTo(first);
      assertThat(codec.encode(other)).isEqualTo(codec.encode(first));
    }
  }

  @Test
  void unequalKeysHaveOtherBytes() {
    List<Object> keys =
        Arrays.asList(
            "1",
            1,
            1L,
            (short) 1,
            '1',
            1.0,
            1.0f,
            0.0,
            -0.0,
            new BigDecimal("1"),
            new BigDecimal("1.0"),
            new byte[] {1},
            new int[] {1},
            new long[] {1},
            new Object[] {1},
            List.of(1),
            Set.of(1),
            Optional.of(1),
            Optional.empty(),
            List.of(),
            Set.of(),
            Map.of(),
            Map.of(1, 2),
            Map.of(2, 1),
            new SimpleKey(1),
            new SimpleKey(1, 2),
            new SimpleKey("1", "2"),
            new SimpleKey("12"),
            new SimpleKey("", "12"),
            new SimpleKey(List.of("1", "2")),
            new SimpleKey((Object) null),
            new SimpleKey(null, null),
            SimpleKey.EMPTY,
            new Sku("1"),
            new Item("1", Size.S),
            new Item("1", Size.L),
            Size.S,
            "S",
            UUID.fromString("00000000-0000-0000-0000-000000000001"));
    Set<String> bytes = new HashSet<>();
    keys.forEach(key -> bytes.add(HEX.formatHex(codec.encode(key))));
    assertThat(bytes).hasSameSizeAs(keys);
  }

  @Test
  void nestedKeysComeBack() {
    Object key =
        new SimpleKey(
            new Basket(List.of(new Item("x", Size.L)), Optional.of("n")),
            Collections.singletonList(null),
            Collections.singletonMap(null, Set.of(1L)),
            new Object[] {new int[] {1, 2}, new boolean[] {true}});
    assertThat(decode(codec.encode(key))).isEqualTo(key);
  }

  @Test
  void eachClassThatIsAKeyComesBack() {
    for (Class<?> type :
        List.of(
            boolean.class,
            byte.class,
            char.class,
            short.class,
            int.class,
            long.class,
            float.class,
            double.class,
            void.class,
            int[].class,
            byte[][].class,
            String[].class,
            Map.Entry[][].class,
            Thread.class,
            java.sql.Connection.class,
            Override.class,
            Plain.class,
            Plain[].class,
            Size[][].class,
            Test.class)) {
      SimpleKey key = new SimpleKey(type, 1);
      assertThat(decode(codec.encode(type))).isEqualTo(type);
      assertThat(decode(codec.encode(key))).isEqualTo(key);
      assertThat(HEX.formatHex(codec.encode(type))).isEqualTo("4b" + hex(type.getName()));
    }
  }

  @Test
  void aClassOfTheApplicationIsNotLoadedByTheNameOfItsArray() {
    String name = CacheKeyCodecTest.class.getName() + "$LurkingItem";
    for (String each : List.of(name, "[L" + name + ";", "[Lno.such.Type;", "[Lvoid;", "[[X")) {
      assertThatThrownBy(() -> decode(HEX.parseHex("4b" + hex(each))))
          .as(each)
          .isInstanceOf(UndecodableValueException.class);
    }
    assertThat(INITIALISED).isEmpty();
  }

  @Test
  void aClassWithoutALastingNameIsRefused() {
    Runnable lambda = () -> {};
    Object proxy =
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Runnable.class}, (self, call, of) -> null);
    for (Class<?> type :
        List.of(
            lambda.getClass(),
            Array.newInstance(lambda.getClass(), 0).getClass(),
            proxy.getClass(),
            Map.Entry.comparingByKey().getClass())) {
      assertThatThrownBy(() -> codec.encode(new SimpleKey("a", type)))
          .isInstanceOf(UnencodableValueException.class)
          .hasMessageContaining(type.getName());
    }
  }

  @Test
  void aClassWithARegisteredCodecIsAKey() {
    Codec<Plain> own =
        new Codec<>() {
          @Override
          public String id() {
            return "plain";
          }

          @Override
          public byte[] encode(Plain value) {
            return new byte[] {(byte) value.number};
          }

          @Override
          public Plain decode(byte[] bytes, int offset, int length) {
            return new Plain();
          }

          @Override
          public boolean immutable() {
            return true;
          }
        };
    Codec<Object> codecs = codec(Codecs.builder().register(Plain.class, own).build());
    byte[] bytes = codecs.encode(new SimpleKey(new Plain()));
    assertThat(HEX.formatHex(bytes)).isEqualTo("420149" + hex(Plain.class.getName()) + "0101");
    assertThat(codecs.decode(bytes, 0, bytes.length)).isInstanceOf(SimpleKey.class);
  }

  @Test
  void whatMayHaveOtherBytesThoughEqualIsRefused() {
    for (Object key :
        List.of(
            new Plain(),
            URI.create("a:b"),
            new ArrayDeque<>(),
            new Object(),
            new SimpleKey("a", new Plain()),
            List.of(new Plain()))) {
      assertThatThrownBy(() -> codec.encode(key))
          .isInstanceOf(UnencodableValueException.class)
          .hasMessageContaining("Use what identifies it");
    }
  }

  @Test
  void aListWithinItselfIsRefused() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    assertThatThrownBy(() -> codec.encode(list))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("64 deep");
    Object deepest = 1;
    for (int i = 0; i < 64; i++) {
      deepest = List.of(deepest);
    }
    assertThat(decode(codec.encode(deepest))).isEqualTo(deepest);
  }

  /** What would have been initialised, had its name in bytes been enough. */
  private static final Set<String> INITIALISED = ConcurrentHashMap.newKeySet();

  enum LurkingSize {
    S;

    static {
      INITIALISED.add("enum");
    }
  }

  record LurkingItem(String name) {
    static {
      INITIALISED.add("record");
    }
  }

  static final class LurkingKey {
    static {
      INITIALISED.add("class");
    }

    private LurkingKey() {}
  }

  static Stream<Arguments> lurking() {
    String simple = CacheKeyCodecTest.class.getName() + "$Lurking";
    List<String> kinds =
        List.of(
            "40" + hex(simple + "Size") + hex("S"),
            "41" + hex(simple + "Item") + "01" + hex("name") + "010178",
            "49" + hex(simple + "Key") + "0101");
    List<String> around = List.of("%s", "4201%s", "4401%s", "4501%s", "4601%s00", "46010101 61%s");
    return kinds.stream()
        .flatMap(
            kind ->
                around.stream().map(outer -> Arguments.of(outer.formatted(kind).replace(" ", ""))));
  }

  @ParameterizedTest
  @MethodSource("lurking")
  void aClassThatOnlyBytesNameIsNotInitialised(String hex) {
    codec.encode(new SimpleKey(new Item("x", Size.S), Size.L)); // others are known
    byte[] bytes = HEX.parseHex(hex);
    for (int offset : new int[] {0, 1, 7}) {
      byte[] larger = new byte[offset + bytes.length + offset];
      System.arraycopy(bytes, 0, larger, offset, bytes.length);
      assertThatThrownBy(() -> codec.decode(larger, offset, bytes.length))
          .isInstanceOf(UndecodableValueException.class)
          .hasMessageContaining("$Lurking");
    }
    assertThat(INITIALISED).isEmpty();
  }

  private static boolean refusing;

  record Account(String number) {
    Account {
      if (refusing) {
        throw new IllegalArgumentException("refused: " + number);
      }
    }
  }

  @Test
  void whatARecordRefusesIsNotShown() {
    byte[] bytes = codec.encode(new Account("4556-7375"));
    refusing = true;
    try {
      assertThatThrownBy(() -> decode(bytes))
          .isInstanceOf(UndecodableValueException.class)
          .hasMessageContaining("Account refused the stored components")
          .hasMessageNotContaining("4556")
          .cause()
          .hasMessage("refused: 4556-7375");
    } finally {
      refusing = false;
    }
  }

  @Test
  void noClassIsLoadedByItsName() {
    byte[] bytes = codec.encode(new Sku("1"));
    assertThatThrownBy(() -> codec(Codecs.defaults()).decode(bytes, 0, bytes.length))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining(Sku.class.getName());
  }

  @Test
  void damagedBytesAreUndecodableAndNothingElse() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Object key =
        new SimpleKey(
            new Item("x", Size.S),
            List.of(1),
            Map.of("a", Set.of(2L)),
            new int[] {1},
            Optional.of(1));
    byte[] good = codec.encode(key);
    for (int i = 0; i < 20_000; i++) {
      byte[] bad = Arrays.copyOf(good, good.length - random.nextInt(3));
      bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        codec.decode(bad, 0, bad.length);
      } catch (UndecodableValueException expected) {
        // as it should be
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ", bytes " + HEX.formatHex(bad), e);
      }
    }
  }

  private Object decode(byte[] bytes) {
    return codec.decode(bytes, 0, bytes.length);
  }
}
