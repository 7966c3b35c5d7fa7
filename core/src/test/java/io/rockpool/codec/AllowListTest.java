package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EventObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing but what a declared type reaches, the JDK's values, and what was allowed. */
class AllowListTest {

  /** Does harm by being created or read, as the classes of known exploits do. */
  static class Gadget implements Serializable {
    private static final long serialVersionUID = 1L;
    static final AtomicInteger TRIGGERED = new AtomicInteger();
    String command = "rm";

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      TRIGGERED.incrementAndGet();
    }

    @Override
    public int hashCode() {
      TRIGGERED.incrementAndGet();
      return 1;
    }

    @Override
    public boolean equals(Object other) {
      TRIGGERED.incrementAndGet();
      return true;
    }
  }

  static class Handler implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return 0;
    }
  }

  record Holder(Object held) implements Serializable {}

  sealed interface Shape extends Serializable {}

  record Circle(double radius) implements Shape {}

  record Corner(int x, int y) implements Serializable {}

  record Polygon(List<Corner> corners, Optional<Shape> within) implements Shape {}

  interface Animal extends Serializable {}

  record Cat(String name) implements Animal {}

  enum Mood {
    GOOD,
    BAD {
      @Override
      public String toString() {
        return "bad";
      }
    }
  }

  @SuppressWarnings("ArrayRecordComponent")
  record Diary(Map<Mood, List<Animal>> days, Animal[] all) implements Serializable {}

  record Guests(List<String> names, Map<String, Integer> ages) {}

  /** Fory knows these by number, and takes the serializer of a list or map for one of such. */
  @Test
  void collectionsOfGuavaAreRefusedLikeOtherClasses() {
    Codec<Guests> refusing = Codecs.builder().build().valueCodec(TypeRef.of(Guests.class));
    Codec<Guests> allowing =
        Codecs.builder()
            .allowPackage("com.google.common.collect")
            .build()
            .valueCodec(TypeRef.of(Guests.class));
    for (Guests guests :
        List.of(
            new Guests(ImmutableList.of("Ada", "Bob"), Map.of()),
            new Guests(List.of(), ImmutableMap.of("Ada", 36, "Bob", 41)))) {
      byte[] bytes = allowing.encode(guests);
      assertThat(allowing.decode(bytes, 0, bytes.length)).isEqualTo(guests);
      assertThatThrownBy(() -> refusing.encode(guests))
          .isInstanceOf(UnencodableValueException.class)
          .hasMessageContaining("com.google.common.collect.")
          .hasMessageContaining("is not on the allow-list")
          .hasMessageContaining("allowPackage(\"com.google.common.collect\")");
      assertThatThrownBy(() -> refusing.decode(bytes, 0, bytes.length))
          .isInstanceOf(UndecodableValueException.class)
          .hasMessageContaining("com.google.common.collect.")
          .hasMessageContaining("is not on the allow-list")
          .hasMessageContaining("allowPackage(\"com.google.common.collect\")");
    }
  }

  private static Codec<Holder> holders(Fallback fallback, Class<?>... allowed) {
    return Codecs.builder()
        .fallback(fallback)
        .allow(allowed)
        .build()
        .valueCodec(TypeRef.of(Holder.class));
  }

  private static Object roundTrip(Codec<Holder> codec, Object held) {
    byte[] bytes = codec.encode(new Holder(held));
    return codec.decode(bytes, 0, bytes.length).held();
  }

  @ParameterizedTest
  @EnumSource
  void anUnknownClassIsNeitherWrittenNorRead(Fallback fallback) {
    Object[] hiddenIn = {
      new Gadget(),
      new Gadget[] {new Gadget()},
      List.of(new Gadget()),
      new LinkedHashMap<>(Map.of(new Gadget(), 1)),
      new TreeMap<>(Map.of("k", new Gadget()))
    };
    Codec<Holder> careful = holders(fallback);
    for (Object held : hiddenIn) {
      assertThatThrownBy(() -> careful.encode(new Holder(held)))
          .isInstanceOf(UnencodableValueException.class)
          .hasMessageContaining("AllowListTest$Gadget")
          .hasMessageContaining("allow(");
      byte[] bytes = holders(fallback, Gadget.class).encode(new Holder(held));
      int before = Gadget.TRIGGERED.get();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> careful.decode(bytes, 0, bytes.length))
            .isInstanceOf(UndecodableValueException.class)
            .hasMessageContaining("AllowListTest$Gadget");
      }
      assertThat(Gadget.TRIGGERED).hasValue(before);
    }
    assertThat(roundTrip(holders(fallback, Gadget.class), new Gadget())).isInstanceOf(Gadget.class);
  }

  @ParameterizedTest
  @EnumSource
  void whatRunsCodeOrNamesClassesIsRefused(Fallback fallback) throws Exception {
    Object proxy =
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Comparable.class}, new Handler());
    Comparator<String> lambda = (Comparator<String> & Serializable) String::compareTo;
    Object[] harmful = {
      proxy,
      lambda,
      new TreeMap<>(lambda),
      Gadget.class,
      new URL("http://a.invalid/"),
      new EventObject("x"),
      new Semaphore(1)
    };
    Codec<Holder> codec = holders(fallback);
    for (Object held : harmful) {
      assertThatThrownBy(() -> codec.encode(new Holder(held)), "%s", held.getClass())
          .isInstanceOf(UnencodableValueException.class);
    }
  }

  /** Its class has a name only in this process, and Fory would generate code with that name. */
  @ParameterizedTest
  @EnumSource
  void aLambdaIsRefusedAlsoWhereItsPackageIsAllowed(Fallback fallback) {
    Codec<Holder> codec =
        Codecs.builder()
            .fallback(fallback)
            .allowPackage(getClass().getPackageName())
            .build()
            .valueCodec(TypeRef.of(Holder.class));
    Comparator<String> lambda = (Comparator<String> & Serializable) String::compareTo;
    Object[] arrayOfIts = (Object[]) Array.newInstance(lambda.getClass(), 1);
    arrayOfIts[0] = lambda;
    for (Object held :
        List.of(
            lambda,
            new Holder(lambda),
            new ArrayList<>(List.of(lambda)),
            new TreeMap<>(lambda),
            new Object[] {lambda},
            arrayOfIts)) {
      assertThatThrownBy(() -> codec.encode(new Holder(held)), "%s", held.getClass())
          .isInstanceOf(UnencodableValueException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theJdksValuesAndCollectionsAreAlwaysAllowed(Fallback fallback) {
    Codec<Holder> codec = holders(fallback);
    for (Object held : JdkValues.all()) {
      if (fallback == Fallback.JAVA_SERIALIZATION && !(held instanceof Serializable)) {
        continue;
      }
      assertThat(roundTrip(codec, held)).as("%s", held.getClass()).isEqualTo(held);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatADeclaredTypeReachesIsAllowed(Fallback fallback) {
    Codec<List<Shape>> codec =
        Codecs.builder().fallback(fallback).build().valueCodec(new TypeRef<>() {});
    List<Shape> shapes =
        new ArrayList<>(
            List.of(new Circle(1), new Polygon(List.of(new Corner(1, 2)), Optional.empty())));
    if (fallback == Fallback.FORY) { // The JDK's Optional is not serializable.
      byte[] bytes = codec.encode(shapes);
      assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(shapes);
    } else {
      byte[] bytes = codec.encode(new ArrayList<>(List.of(new Circle(1))));
      assertThat(codec.decode(bytes, 0, bytes.length)).containsExactly(new Circle(1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anOpenInterfaceNeedsTheAllowList(Fallback fallback) {
    Diary diary =
        new Diary(
            new TreeMap<>(Map.of(Mood.BAD, List.of(new Cat("Tom")))), new Animal[] {new Cat("x")});
    Codecs.Builder builder = Codecs.builder().fallback(fallback);
    Codec<Diary> careful = builder.build().valueCodec(TypeRef.of(Diary.class));
    assertThatThrownBy(() -> careful.encode(diary))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("AllowListTest$Cat");
    Codec<Diary> generous =
        builder.allowPackage("io.rockpool").build().valueCodec(TypeRef.of(Diary.class));
    byte[] bytes = generous.encode(diary);
    Diary back = generous.decode(bytes, 0, bytes.length);
    assertThat(back.days()).isEqualTo(diary.days());
    assertThat(back.all()).containsExactly(diary.all());
    assertThatThrownBy(() -> careful.decode(bytes, 0, bytes.length))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("AllowListTest$Cat");
  }

  @Test
  void aPackageAllowsWhatIsBelowItAndNothingBesideIt() {
    AllowList list = new AllowList(Set.of(), Set.of("com.acme"));
    assertThat(list.allows("com.acme.Order")).isTrue();
    assertThat(list.allows("com.acme.deep.Order$Line")).isTrue();
    assertThat(list.allows("com.acmeevil.Order")).isFalse();
    assertThat(list.allows("com.Order")).isFalse();
    assertThat(list.allows("Order")).isFalse();
  }
}
