package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.Threads;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.fory.type.Float16;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A catalog that needs a server for a class that its process does not know, and may fail. */
@SuppressWarnings("serial") // fields as applications declare them
final class CatalogOnServerTest {
  record Part(int number, @Nullable Object more) implements Serializable {}

  /** Its equality is that of its own code, so a key of it is written as an object. */
  static final class Named implements Serializable {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Named named && named.name.equalsIgnoreCase(name);
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  /** Not serializable, and with a list of a class that Fory knows by number. */
  static final class Tagged {
    private final List<String> tags = ImmutableList.of("a", "b");

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Tagged tagged && tagged.tags.equals(tags);
    }

    @Override
    public int hashCode() {
      return tags.hashCode();
    }
  }

  static final class Failure extends RuntimeException {
    private final Part part;

    Failure(Part part) {
      this.part = part;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Failure failure && failure.part.equals(part);
    }

    @Override
    public int hashCode() {
      return part.hashCode();
    }
  }

  private static final class Server {
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private volatile @Nullable RuntimeException failure;

    void call(String what) {
      calls.add(what);
      RuntimeException thrown = failure;
      if (thrown != null) {
        throw thrown;
      }
    }

    List<String> takeCalls() {
      List<String> taken = List.copyOf(calls);
      calls.clear();
      return taken;
    }
  }

  private record Catalog(Server server, Set<String> known) implements ClassCatalog {
    Catalog(Server server) {
      this(server, ConcurrentHashMap.newKeySet());
    }

    @Override
    public boolean contains(String className) {
      if (known.contains(className)) {
        return true;
      }
      server.call("contains " + className);
      boolean found = server.names.contains(className);
      if (found) {
        known.add(className);
      }
      return found;
    }

    @Override
    public void add(String className) {
      server.call("add " + className);
      server.names.add(className);
      known.add(className);
    }
  }

  private final Server server = new Server();

  private Codecs codecs(Fallback fallback) {
    return Codecs.builder().fallback(fallback).build().learningIn(new Catalog(server));
  }

  private Codec<Object> codec(Fallback fallback) {
    return codecs(fallback).valueCodec(TypeRef.of(Object.class));
  }

  private static String name(Class<?> type) {
    return type.getName();
  }

  @ParameterizedTest
  @EnumSource
  void onlyAClassThatTheProcessDoesNotKnowNeedsTheServer(Fallback fallback) throws Exception {
    Codec<Object> codec = codec(fallback);
    byte[] bytes = codec.encode(new Part(1, "x"));
    assertThat(server.takeCalls())
        .containsExactly("contains " + name(Part.class), "add " + name(Part.class));
    Threads.run(20, thread -> codec.encode(new Part(2, List.of(new Part(3, null)))));
    Threads.run(20, thread -> codec.decode(bytes, 0, bytes.length));
    assertThat(server.takeCalls()).isEmpty();
    Codec<Object> elsewhere = codec(fallback);
    assertThat(elsewhere.decode(bytes, 0, bytes.length)).isEqualTo(new Part(1, "x"));
    assertThat(elsewhere.encode(new Part(1, "x"))).isEqualTo(bytes);
    assertThat(server.takeCalls()).containsExactly("contains " + name(Part.class));
  }

  @ParameterizedTest
  @EnumSource
  void aRefusedValueNeedsNoServer(Fallback fallback) throws Exception {
    Codec<Object> codec = codec(fallback);
    byte[] unused = codec.encode(new Part(1, "x"));
    server.takeCalls();
    Object refused = new ArrayList<>(List.of(new Named("a"), Thread.currentThread()));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> codec.encode(refused)).isInstanceOf(UnencodableValueException.class);
      assertThat(codec.encode(new Part(2, "y"))).isNotEmpty();
      Threads.run(10, thread -> codec.encode(new Part(3, "z")));
    }
    assertThat(server.takeCalls()).isEmpty();
    assertThat(server.names).containsExactly(name(Part.class));
    assertThat(codec.encode(new Named("a"))).isNotEmpty();
    assertThat(server.names).containsExactlyInAnyOrder(name(Part.class), name(Named.class));
  }

  @ParameterizedTest
  @EnumSource
  void aClassThatAnotherProcessLearnsLaterIsFound(Fallback fallback) {
    Codec<Object> codec = codec(fallback);
    byte[] bytes = codec(fallback).encode(new Part(1, null));
    server.names.clear();
    assertThatThrownBy(() -> codec.decode(bytes, 0, bytes.length))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining(name(Part.class));
    byte[] unused = codec(fallback).encode(new Part(1, null));
    assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(new Part(1, null));
  }

  /** Lists, fields, and the JDK's own serialization inside a value have their own ways. */
  private static Map<String, Object> values() {
    Map<String, Object> values = new HashMap<>();
    values.put("value", new Part(1, null));
    values.put("element", new ArrayList<>(List.of(new Part(1, null))));
    values.put("array", new Part[] {new Part(1, null)});
    values.put("field", new HashMap<>(Map.of("k", new Part(1, new Named("a")))));
    values.put("throwable", new Failure(new Part(1, null)));
    return values;
  }

  private static List<RuntimeException> failures() {
    return List.of(
        new ServerUnavailableException("No server answers. Repeat the call later.", null),
        new StoreClosedException("The store is closed."));
  }

  @ParameterizedTest
  @EnumSource
  void aFailureOfTheServerIsNotOneOfTheValue(Fallback fallback) {
    values()
        .forEach(
            (where, value) -> {
              byte[] bytes = codec(fallback).encode(value);
              for (RuntimeException failure : failures()) {
                Codec<Object> codec = codec(fallback);
                server.failure = failure;
                assertThatThrownBy(() -> codec.decode(bytes, 0, bytes.length))
                    .as(where)
                    .isSameAs(failure);
                assertThatThrownBy(() -> codec.encode(value)).as(where).isSameAs(failure);
                server.failure = null;
                assertThat(codec.decode(bytes, 0, bytes.length)).as(where).isEqualTo(value);
                assertThat(codec.encode(value)).as(where).isEqualTo(bytes);
              }
            });
  }

  @ParameterizedTest
  @EnumSource
  void norOfTheKey(Fallback fallback) {
    for (Object key : List.of(new Part(1, "x"), new Named("a"), List.of(new Named("b")))) {
      byte[] bytes = codecs(fallback).cacheKeyCodec(TypeRef.of(Object.class)).encode(key);
      for (RuntimeException failure : failures()) {
        Codec<Object> codec = codecs(fallback).cacheKeyCodec(TypeRef.of(Object.class));
        server.failure = failure;
        assertThatThrownBy(() -> codec.decode(bytes, 0, bytes.length)).isSameAs(failure);
        assertThatThrownBy(() -> codec.encode(key)).isSameAs(failure);
        server.failure = null;
        assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(key);
        assertThat(codec.encode(key)).isEqualTo(bytes);
      }
    }
  }

  @Test
  void theClassesThatForyKnowsByNumberAreRefusedWhateverTheCatalogSays() {
    String name = name(Float16.class);
    byte[] bytes =
        Codecs.builder()
            .allow(Float16.class)
            .build()
            .valueCodec(TypeRef.of(Object.class))
            .encode(new ArrayList<>(List.of(Float16.ONE)));
    server.names.add(name);
    Codec<Object> codec = codec(Fallback.FORY);
    assertThatThrownBy(() -> codec.decode(bytes, 0, bytes.length))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining(name);
    assertThatThrownBy(() -> codec.encode(Float16.ONE))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining(name);
  }

  @Test
  void aKeyMayHoldAClassThatForyKnowsByNumber() {
    Codec<Object> codec = codecs(Fallback.FORY).cacheKeyCodec(TypeRef.of(Object.class));
    byte[] bytes = codec.encode(new Tagged());
    assertThat(server.names).contains(name(Tagged.class));
    Codec<Object> elsewhere = codecs(Fallback.FORY).cacheKeyCodec(TypeRef.of(Object.class));
    assertThat(elsewhere.decode(bytes, 0, bytes.length)).isEqualTo(new Tagged());
  }
}
