package io.rockpool.structure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.Proxied;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a call that returns the old value costs. If only code of the library decodes it, that
 * happens inside the row transaction; a user's code runs without a lock, so it takes a read more.
 */
final class ValueReturningCallsTest {
  record Point(int x, int y) {}

  record Upper(String text) {}

  /** A codec of the user's, which the map cannot know. */
  private static final class UpperCodec implements Codec<Upper> {
    @Override
    public String id() {
      return "upper";
    }

    @Override
    public byte[] encode(Upper value) {
      return value.text().getBytes(UTF_8);
    }

    @Override
    public Upper decode(byte[] bytes, int offset, int length) {
      return new Upper(new String(bytes, offset, length, UTF_8));
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  private final List<String> calls = new ArrayList<>();

  static Stream<Object> decodedByLibrary() {
    return Stream.of(
        "text",
        new byte[] {1},
        42,
        42L,
        1.5,
        true,
        'c',
        UUID.randomUUID(),
        BigDecimal.TEN,
        Instant.EPOCH,
        DayOfWeek.FRIDAY,
        URI.create("a:b"));
  }

  static Stream<Object> decodedByUsers() {
    return Stream.of(new Point(1, 2), List.of("a"), new Upper("TEXT"));
  }

  @ParameterizedTest
  @MethodSource("decodedByLibrary")
  void isOneTransaction(Object value) {
    check(value, "transact");
  }

  @ParameterizedTest
  @MethodSource("decodedByUsers")
  void isAReadAndATransaction(Object value) {
    check(value, "get transact");
  }

  private <V> void check(V value, String expected) {
    @SuppressWarnings("unchecked")
    Class<V> type = (Class<V>) classOf(value);
    Codecs codecs =
        Codecs.builder().allow(Point.class).register(Upper.class, new UpperCodec()).build();
    try (Engine engine = MemoryEngine.builder().build();
        Rockpool pool = Rockpool.at(o -> counted(Engine.class, engine)).open()) {
      PersistentMap<String, V> map =
          pool.map("map", TypeRef.of(String.class), TypeRef.of(type), o -> o.codecs(codecs));
      assertThat(callsOf(() -> assertThat(map.put("key", value)).isNull())).isEqualTo(expected);
      assertThat(callsOf(() -> assertThat(map.put("key", value)).isEqualTo(value)))
          .isEqualTo(expected);
      assertThat(callsOf(() -> assertThat(map.replace("key", value)).isEqualTo(value)))
          .isEqualTo(expected);
      assertThat(callsOf(() -> assertThat(map.remove("key")).isEqualTo(value))).isEqualTo(expected);
    }
  }

  private static Class<?> classOf(Object value) {
    return value instanceof List ? List.class : value.getClass();
  }

  private String callsOf(Runnable call) {
    calls.clear();
    call.run();
    return String.join(" ", calls);
  }

  /** The same thing, noting the reads and writes of every space that comes out of it. */
  private <T> T counted(Class<T> type, T thing) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            Proxied.interfaces(type),
            (self, method, arguments) -> {
              if (type == Space.class && Set.of("get", "transact").contains(method.getName())) {
                calls.add(method.getName());
              }
              try {
                Object result = method.invoke(thing, arguments);
                return result instanceof Space space ? counted(Space.class, space) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
