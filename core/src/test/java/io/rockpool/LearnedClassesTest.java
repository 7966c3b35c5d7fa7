package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.Fallback;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.access.Internals;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.collections.keyvalue.TiedMapEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store decodes what its own application has encoded, and nothing harmful. */
@SuppressWarnings("serial") // fields as applications declare them
class LearnedClassesTest {
  record Line(String sku) implements Serializable {}

  record Order(String id, Object line) implements Serializable {}

  enum Color {
    RED
  }

  interface Priced {}

  record Price(int cents) implements Priced, Serializable {}

  /** Names classes as the elements of arrays alone. */
  static final class Cart implements Serializable {
    private static final long serialVersionUID = 1L;
    final Line[] lines;
    final Color[][] colors;
    final List<Price[]> prices;
    final Priced[] priced;

    Cart(Line[] lines, Color[][] colors, List<Price[]> prices, Priced[] priced) {
      this.lines = lines;
      this.colors = colors;
      this.prices = prices;
      this.priced = priced;
    }

    static Cart empty() {
      return new Cart(null, null, null, null);
    }

    static Cart full() {
      List<Price[]> prices = new ArrayList<>();
      prices.add(new Price[] {new Price(1)});
      Color[][] colors = {{Color.RED}, null};
      return new Cart(new Line[] {new Line("a")}, colors, prices, new Priced[] {new Price(2)});
    }
  }

  @TempDir Path directory;

  private static PersistentCache<String, Object> cache(Rockpool pool) {
    return pool.cache("all", String.class, Object.class);
  }

  private Rockpool open(Codecs codecs) {
    return Rockpool.at(directory).codecs(codecs).open();
  }

  @ParameterizedTest
  @EnumSource
  void whatWasEncodedIsDecodedAfterARestart(Fallback fallback) {
    Order order = new Order("1", new Line("a"));
    Codecs codecs = Codecs.builder().fallback(fallback).build();
    try (Rockpool pool = open(codecs)) {
      cache(pool).put("order", order);
      cache(pool).put("colors", new Object[] {Color.RED, new Line[] {new Line("b")}});
      assertThat(cache(pool).get("order")).isEqualTo(order);
    }
    try (Rockpool pool = open(codecs)) {
      assertThat(cache(pool).get("order")).isEqualTo(order);
      assertThat((Object[]) cache(pool).get("colors"))
          .containsExactly(Color.RED, new Line[] {new Line("b")});
    }
  }

  private static void assertCart(Object actual, Cart expected) {
    assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void arraysOfClassesThatNoValueHadAreFields(Fallback fallback) {
    Codecs codecs = Codecs.builder().fallback(fallback).build();
    try (Rockpool pool = open(codecs)) {
      cache(pool).put("empty", Cart.empty());
      assertCart(cache(pool).get("empty"), Cart.empty());
    }
    try (Rockpool pool = open(codecs)) {
      assertCart(cache(pool).get("empty"), Cart.empty());
    }
    try (Rockpool pool = open(codecs)) {
      cache(pool).put("full", Cart.full());
      assertCart(cache(pool).get("full"), Cart.full());
    }
    try (Rockpool pool = open(codecs)) {
      assertCart(cache(pool).get("full"), Cart.full());
      assertCart(cache(pool).get("empty"), Cart.empty());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAllowedClassHasArraysOfOthers(Fallback fallback) {
    Codecs codecs = Codecs.builder().fallback(fallback).allow(Cart.class).build();
    try (Rockpool pool = open(codecs)) {
      cache(pool).put("empty", Cart.empty());
    }
    try (Rockpool pool = open(codecs)) {
      assertCart(cache(pool).get("empty"), Cart.empty());
      cache(pool).put("full", Cart.full());
    }
    try (Rockpool pool = open(codecs)) {
      assertCart(cache(pool).get("full"), Cart.full());
    }
    Codec<Object> strict =
        Codecs.builder()
            .fallback(fallback)
            .strict()
            .allow(Cart.class)
            .build()
            .valueCodec(TypeRef.of(Object.class));
    assertThatThrownBy(() -> strict.encode(Cart.full()))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("LearnedClassesTest$")
        .hasMessageContaining("allow(");
  }

  @Test
  void aNameIsInTheFileBeforeItsValueIsWritten() throws Exception {
    try (Rockpool pool = Rockpool.open(directory)) {
      cache(pool).put("order", new Order("1", new Line("a")));
      assertThat(Files.readAllLines(directory.resolve(LearnedClasses.FILE)))
          .containsExactlyInAnyOrder(Order.class.getName(), Line.class.getName());
      cache(pool).put("more", new Order("2", new Line("b")));
      assertThat(Files.readAllLines(directory.resolve(LearnedClasses.FILE))).hasSize(2);
    }
  }

  @Test
  void aLineThatWasCutOffIsForgotten() throws Exception {
    Path file = directory.resolve(LearnedClasses.FILE);
    try (Rockpool pool = Rockpool.open(directory)) {
      cache(pool).put("line", new Line("a"));
    }
    Files.writeString(file, "io.rockpool.Cut", StandardOpenOption.APPEND);
    LearnedClasses classes = new LearnedClasses(directory);
    assertThat(classes.contains("io.rockpool.Cut")).isFalse();
    classes.add(Order.class.getName());
    assertThat(Files.readAllLines(file))
        .containsExactly(Line.class.getName(), Order.class.getName());
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedThreadStoresAClassThatIsNew(Fallback fallback) throws Exception {
    try (Rockpool pool = open(codecs(fallback))) {
      cache(pool).put("line", "old");
      Thread.currentThread().interrupt();
      try {
        cache(pool).put("line", new Line("a"));
        cache(pool).put("order", new Order("1", new Line("b")));
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(cache(pool).get("line")).isEqualTo(new Line("a"));
      assertThat(Files.readAllLines(directory.resolve(LearnedClasses.FILE)))
          .containsExactly(Line.class.getName(), Order.class.getName());
    }
  }

  @Test
  void anInterruptedThreadStoresAKeyOfAClassThatIsNew() {
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentCache<Object, String> keyed = pool.cache("keyed", Object.class, String.class);
      Thread.currentThread().interrupt();
      try {
        keyed.put(new Line("a"), "value");
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(keyed.get(new Line("a"))).isEqualTo("value");
    }
  }

  @ParameterizedTest
  @EnumSource
  @EnabledOnOs(OS.LINUX)
  void onAFullDiskAClassThatIsNewIsRefusedAndNotSkipped(Fallback fallback) throws Exception {
    CacheOptions<String, Object> skip =
        CacheOptions.<String, Object>defaults().onUnencodable(CacheOptions.OnUnencodable.SKIP);
    try (Rockpool pool = open(codecs(fallback))) {
      PersistentCache<String, Object> cache =
          pool.cache("all", String.class, Object.class, o -> skip);
      PersistentCache<Object, String> keyed = pool.cache("keyed", Object.class, String.class);
      cache.put("line", "old");
      Path file = directory.resolve(LearnedClasses.FILE);
      Files.createSymbolicLink(file, Path.of("/dev/full"));
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> cache.put("line", new Line("a")))
            .isInstanceOf(StoreFullException.class)
            .hasMessageContaining("LearnedClassesTest$Line");
        assertThatThrownBy(() -> keyed.put(new Line("a"), "value"))
            .isInstanceOf(StoreFullException.class);
      }
      assertThat(cache.get("line")).isEqualTo("old");
      Files.delete(file);
      cache.put("line", new Line("a"));
      assertThat(cache.get("line")).isEqualTo(new Line("a"));
      keyed.put(new Line("a"), "value");
      assertThat(keyed.get(new Line("a"))).isEqualTo("value");
    }
    assertThat(Files.readAllLines(directory.resolve(LearnedClasses.FILE)))
        .containsExactly(Line.class.getName());
  }

  @Test
  void aClassThatCannotBeNotedIsNotStored() throws Exception {
    try (Rockpool pool = Rockpool.open(directory)) {
      Files.createDirectory(directory.resolve(LearnedClasses.FILE));
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> cache(pool).put("line", new Line("a")))
            .isInstanceOf(StoreIoException.class)
            .hasMessageContaining("LearnedClassesTest$Line");
        assertThat(cache(pool).get("line")).isNull();
      }
      Files.delete(directory.resolve(LearnedClasses.FILE));
      cache(pool).put("line", new Line("a"));
      assertThat(cache(pool).get("line")).isEqualTo(new Line("a"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyWhatThisStoreHasEncodedIsDecoded(Fallback fallback) {
    Codec<Object> generous =
        Codecs.builder()
            .fallback(fallback)
            .allow(Line.class)
            .build()
            .valueCodec(TypeRef.of(Object.class));
    byte[] bytes = generous.encode(new Line("a"));
    try (Rockpool pool = Rockpool.open(directory)) {
      Codec<Object> codec =
          Internals.store(pool)
              .learning(Codecs.builder().fallback(fallback).build())
              .valueCodec(TypeRef.of(Object.class));
      assertThatThrownBy(() -> codec.decode(bytes, 0, bytes.length))
          .hasMessageContaining("LearnedClassesTest$Line");
      codec.encode(new Line("b"));
      assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(new Line("a"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theHarmfulIsNeverLearned(Fallback fallback) {
    InvocationHandler handler = (proxy, method, arguments) -> null;
    Runnable lambda = (Runnable & Serializable) () -> {};
    List<Object> harmful =
        List.of(
            new TiedMapEntry(new HashMap<>(Map.of("a", "b")), "key"),
            Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Comparable.class}, handler),
            lambda,
            new Thread(() -> {}));
    try (Rockpool pool = Rockpool.at(directory).codecs(codecs(fallback)).open()) {
      for (Object value : harmful) {
        assertThatThrownBy(() -> cache(pool).put("k", new Order("1", value)), "%s", value)
            .isInstanceOf(UnencodableValueException.class);
        assertThat(cache(pool).get("k")).isNull();
      }
    }
  }

  private static Codecs codecs(Fallback fallback) {
    return Codecs.builder().fallback(fallback).build();
  }

  @Test
  void aStrictStoreLearnsNothing() {
    Codecs strict = Codecs.builder().allow(Order.class).strict().build();
    try (Rockpool pool = open(strict)) {
      cache(pool).put("a", new Order("1", "line"));
      assertThatThrownBy(() -> cache(pool).put("b", new Order("1", new Line("a"))))
          .isInstanceOf(UnencodableValueException.class)
          .hasMessageContaining("LearnedClassesTest$Line");
      assertThat(cache(pool).get("a")).isEqualTo(new Order("1", "line"));
      assertThat(directory.resolve(LearnedClasses.FILE)).doesNotExist();
    }
  }

  /** Notes that one was made. */
  record Id(String text) {
    static int made;

    Id {
      made++;
    }
  }

  /** As {@link Id}, told apart by its own equals. */
  static final class Tag implements Serializable {
    private static final long serialVersionUID = 1L;
    static int read;
    private final String text = "a";

    @Override
    public boolean equals(Object other) {
      return other instanceof Tag tag && text.equals(tag.text);
    }

    @Override
    public int hashCode() {
      return 7;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      read++;
    }
  }

  private enum Colour {
    RED
  }

  @Test
  void aStrictStoreDecodesNoKeyOfAnotherClass() {
    List<Object> keys =
        List.of(new Id("a"), new Tag(), Colour.RED, List.of(new Id("b")), List.of(new Tag()));
    try (Rockpool pool = open(Codecs.defaults())) {
      PersistentCache<Object, String> cache = pool.cache("keys", Object.class, String.class);
      keys.forEach(key -> cache.put(key, "v"));
      cache.put("text", "v");
    }
    int made = Id.made;
    int read = Tag.read;
    try (Rockpool pool = open(Codecs.builder().strict().build())) {
      PersistentCache<Object, String> cache = pool.cache("keys", Object.class, String.class);
      List<Object> seen = new ArrayList<>();
      cache.forEach(entry -> seen.add(entry.getKey()));
      assertThat(seen).containsExactly("text");
      for (Object key : keys) {
        for (Runnable use : List.<Runnable>of(() -> cache.get(key), () -> cache.put(key, "w"))) {
          assertThatThrownBy(use::run)
              .isInstanceOf(UnencodableValueException.class)
              .hasMessageContaining("LearnedClassesTest$")
              .hasMessageContaining("Codecs.builder().allow(");
        }
      }
      cache.forEach(entry -> seen.add(entry.getKey()));
      assertThat(seen).containsExactly("text", "text");
      assertThat(Id.made).isEqualTo(made);
      assertThat(Tag.read).isEqualTo(read);
    }
    Codecs allowing = Codecs.builder().strict().allow(Id.class, Tag.class, Colour.class).build();
    try (Rockpool pool = open(allowing)) {
      PersistentCache<Object, String> cache = pool.cache("keys", Object.class, String.class);
      keys.forEach(key -> assertThat(cache.get(key)).isEqualTo("v"));
      List<Object> seen = new ArrayList<>();
      cache.forEach(entry -> seen.add(entry.getKey()));
      assertThat(seen).hasSize(6).containsAll(keys);
    }
  }
}
