package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.SourceLoader;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.GregorianCalendar;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A value that was encoded can be decoded, and is the one that was given; else it is refused. */
@SuppressWarnings("serial") // fields as applications declare them
class ReadableWhenWrittenTest {
  static final AtomicInteger MADE = new AtomicInteger();

  /** Puts a prefix to what it is given: again when it is read. */
  record Prefixed(String path) implements Serializable {
    Prefixed {
      path = "/" + path;
    }
  }

  record Fussy(String text) implements Serializable {
    static boolean accepting = true;

    Fussy {
      if (!accepting) {
        throw new IllegalStateException("no");
      }
    }
  }

  record Counted(int number) implements Serializable {
    Counted {
      MADE.incrementAndGet();
    }
  }

  record Parent(String name, List<Object> children) implements Serializable {}

  @SuppressWarnings("ArrayRecordComponent")
  record WithArray(int[] numbers, String text) implements Serializable {}

  /** Equal by what is not written. */
  static class Forgetful implements Serializable {
    private static final long serialVersionUID = 1L;
    transient String name = "a";

    Forgetful() {}

    Forgetful(String name) {
      this.name = name;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Forgetful that && java.util.Objects.equals(name, that.name);
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  /** Has a number that is not written, and is compared. */
  static class HiddenNumber implements Serializable {
    private static final long serialVersionUID = 1L;
    private final transient int number;

    HiddenNumber(int number) {
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof HiddenNumber that && number == that.number;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  /** Fit to be read only as long as it says so. */
  public static class Own implements Externalizable {
    private static final long serialVersionUID = 1L;
    boolean readable = true;

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeBoolean(readable);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      readable = in.readBoolean();
      if (!readable) {
        throw new IOException("not readable");
      }
    }
  }

  static class Node implements Serializable {
    private static final long serialVersionUID = 1L;
    String name;
    Set<Object> others = new HashSet<>();

    @Override
    public boolean equals(Object other) {
      return other instanceof Node that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  static class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String order;

    Refusal(String order, Throwable cause) {
      super("Order " + order.trim() + " is refused.", cause);
      this.order = order;
    }
  }

  /** Equal by its name to those of other classes. */
  static class Named implements Serializable {
    private static final long serialVersionUID = 1L;
    String name = "n";

    @Override
    public boolean equals(Object other) {
      return other instanceof Named that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  static final class Renamed extends Named {
    private static final long serialVersionUID = 1L;

    private Object readResolve() {
      return new Named();
    }
  }

  static Codec<Object> codec(Fallback fallback) {
    return Codecs.builder()
        .fallback(fallback)
        .allowPackage("io.rockpool.codec")
        .build()
        .valueCodec(TypeRef.of(Object.class));
  }

  static Object roundTrip(Codec<Object> codec, Object value) {
    byte[] bytes = codec.encode(value);
    Fallback fallback = bytes[0] == ValueTag.JAVA ? Fallback.JAVA_SERIALIZATION : Fallback.FORY;
    return codec(fallback).decode(bytes, 0, bytes.length); // as after a restart
  }

  static void assertRefused(Codec<Object> codec, Object value) {
    assertThatThrownBy(() -> codec.encode(value)).isInstanceOf(UnencodableValueException.class);
  }

  @ParameterizedTest
  @EnumSource
  void aValueThatComesBackAsAnotherIsRefused(Fallback fallback) {
    Codec<Object> codec = codec(fallback);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> codec.encode(new ArrayList<>(List.of(new Prefixed("a")))))
          .isInstanceOf(UnencodableValueException.class)
          .hasMessageContaining("value[0].path");
      assertRefused(codec, new Forgetful("b"));
    }
  }

  /** Which of the first two comes back depends on whether the codec calls the constructor. */
  @ParameterizedTest
  @EnumSource
  void aClassThatComparesTransientFieldsIsTriedEachTime(Fallback fallback) {
    Codec<Object> codec = codec(fallback);
    List<Forgetful> kept = new ArrayList<>();
    for (Forgetful value : List.of(new Forgetful(null), new Forgetful("a"))) {
      try {
        assertThat(roundTrip(codec, value)).isEqualTo(value);
        kept.add(value);
      } catch (UnencodableValueException e) {
        assertThat(e).hasMessageContaining("Forgetful");
      }
    }
    assertThat(kept).hasSize(1);
    assertRefused(codec, new Forgetful("b"));
    assertRefused(codec, new ArrayList<>(List.of(kept.get(0), new Forgetful("b"))));
    assertThat(roundTrip(codec, new HiddenNumber(0))).isEqualTo(new HiddenNumber(0));
    assertRefused(codec, new HiddenNumber(1));
  }

  @ParameterizedTest
  @EnumSource
  void aValueThatIsEqualToNoCopyOfItIsKept(Fallback fallback) {
    WithArray value = new WithArray(new int[] {1}, "x");
    WithArray back = (WithArray) roundTrip(codec(fallback), value);
    assertThat(back.numbers()).containsExactly(1);
    List<Object> list = new ArrayList<>(List.of(new AtomicInteger(5), value));
    assertThat(((List<?>) roundTrip(codec(fallback), list)).get(0)).hasToString("5");
  }

  @ParameterizedTest
  @EnumSource
  void aClassIsTriedUntilItWasReadOnce(Fallback fallback) {
    Codec<Object> codec = codec(fallback);
    Fussy value = new Fussy("x");
    try {
      Fussy.accepting = false;
      assertRefused(codec, value);
      assertRefused(codec, value);
    } finally {
      Fussy.accepting = true;
    }
    assertThat(roundTrip(codec, value)).isEqualTo(value);
  }

  @Test
  void aClassThatWasReadOnceIsNotTriedAgain() {
    Codec<Object> codec = codec(Fallback.FORY);
    codec.encode(new Counted(1));
    int before = MADE.get();
    Counted two = new Counted(2);
    codec.encode(two);
    assertThat(MADE.get() - before).as("made by encoding").isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aClassWithSerializationOfItsOwnIsTriedEachTime(Fallback fallback) {
    Codec<Object> codec = codec(fallback);
    Own own = new Own();
    assertThat(roundTrip(codec, own)).isInstanceOf(Own.class);
    own.readable = false;
    assertRefused(codec, own);
  }

  @ParameterizedTest
  @EnumSource
  void aCycleThatWouldBeCutIsRefused(Fallback fallback) {
    Codec<Object> codec = codec(fallback);
    Parent parent = new Parent("p", new ArrayList<>(List.of("child")));
    assertThat(roundTrip(codec, parent)).isEqualTo(parent);
    Object shared = new Parent("q", new ArrayList<>());
    Parent sharing = new Parent("p", new ArrayList<>(List.of(shared, shared)));
    assertThat(roundTrip(codec, sharing)).isEqualTo(sharing);
    parent.children().add(parent);
    assertCutCycleIsRefused(codec, parent, back -> ((Parent) back).children().get(1));
    List<Object> inner = new ArrayList<>();
    List<Object> outer = List.of(inner);
    inner.add(outer);
    assertCutCycleIsRefused(codec, outer, back -> ((List<?>) ((List<?>) back).get(0)).get(0));
    Node one = new Node();
    one.name = "one";
    Node two = new Node();
    two.name = "two";
    one.others.add(two);
    assertThat(((Node) roundTrip(codec, one)).others).containsExactly(two);
    two.others.add(one);
    assertCutCycleIsRefused(
        codec,
        one,
        back -> ((Node) ((Node) back).others.iterator().next()).others.iterator().next());
  }

  /** A codec may be able to read a cycle; then it comes back whole. */
  private static void assertCutCycleIsRefused(
      Codec<Object> codec, Object value, UnaryOperator<Object> around) {
    for (int i = 0; i < 2; i++) {
      Object back;
      try {
        back = roundTrip(codec, value);
      } catch (UnencodableValueException e) {
        continue;
      }
      assertThat(around.apply(back)).isSameAs(back);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anExceptionOfTheApplicationsComesBack(Fallback fallback) {
    Refusal refusal = new Refusal(" 5 ", new IOException("disk"));
    refusal.addSuppressed(new IllegalStateException("closed"));
    Refusal back = (Refusal) roundTrip(codec(fallback), refusal);
    assertThat(back).hasMessage("Order 5 is refused.").hasCauseInstanceOf(IOException.class);
    assertThat(back.order).isEqualTo(" 5 ");
    assertThat(back.getSuppressed()).hasSize(1);
    assertThat(back.getStackTrace()).isEqualTo(refusal.getStackTrace());
  }

  @Test
  void anExceptionIsReadBehindTheAllowList() {
    byte[] bytes = codec(Fallback.FORY).encode(new Refusal("5", null));
    Codec<Object> careful = Codecs.defaults().valueCodec(TypeRef.of(Object.class));
    assertThatThrownBy(() -> careful.decode(bytes, 0, bytes.length))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("ReadableWhenWrittenTest$Refusal");
    assertRefused(careful, new Refusal("5", null));
  }

  @ParameterizedTest
  @EnumSource
  void aFieldThatMovedWithinItsHierarchyIsUndecodable(Fallback fallback) {
    String below =
        """
        class Base implements Serializable {
          private static final long serialVersionUID = 1;
          String name = "n";
        }
        public class Main extends Base {
          private static final long serialVersionUID = 1;
          int number = 7;
          public static Object make() { return new Main(); }
          public String toString() { return name + number; }
        }
        """;
    String above =
        below.replace("int number = 7;", "").replace("String name", "int number = 7; String name");
    for (List<String> versions : List.of(List.of(below, above), List.of(above, below))) {
      SourceLoader before = new SourceLoader(versions.get(0));
      byte[] bytes = before.codec(fallback).encode(before.make());
      Codec<Object> after = new SourceLoader(versions.get(1)).codec(fallback);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> after.decode(bytes, 0, bytes.length))
            .isInstanceOf(UndecodableValueException.class)
            .hasMessageContaining("'number'")
            .hasMessageContaining("app.Base");
      }
      Codec<Object> same = new SourceLoader(versions.get(0)).codec(fallback);
      assertThat(same.decode(bytes, 0, bytes.length)).hasToString("n7");
    }
  }

  @ParameterizedTest
  @EnumSource
  void nullIsKeptInEveryListThatTakesIt(Fallback fallback) {
    Codec<Object> codec = codec(fallback);
    List<Object> one = new ArrayList<>();
    one.add(null);
    for (List<?> list : List.of(one, Arrays.asList("a", null), one.stream().toList())) {
      assertThat(roundTrip(codec, list)).isEqualTo(list);
    }
  }

  @Test
  void aCopyOfAnotherClassIsAnother() {
    Named named = new Named();
    assertThat(Sameness.difference(named, new Named(), Named::new)).isNull();
    List<Object> anonymous = List.of(new Named() {});
    assertThat(Sameness.difference(anonymous, List.of(named), () -> List.of(named)))
        .contains("[0]");
    List<Object> renamed = List.of(new Renamed()); // which says so itself
    assertThat(Sameness.difference(renamed, List.of(named), () -> List.of(named))).isNull();
    GregorianCalendar feasts = new ExtendedJdkClassesTest.Feasts();
    GregorianCalendar plain = new GregorianCalendar();
    plain.setTimeInMillis(feasts.getTimeInMillis());
    assertThat(Sameness.difference(feasts, plain, () -> plain)).contains("Feasts");
    List<Integer> list = new ArrayList<>(List.of(1));
    assertThat(Sameness.difference(List.of(1), list, () -> list)).isNull();
  }

  /** Made once, as singletons that guard against a second one. */
  static final class Guarded extends Guarding {
    private static final long serialVersionUID = 1L;
    static final Guarded ONLY = new Guarded();

    private Guarded() {
      super(ONLY);
    }
  }

  /** As {@link Guarded}, and comes back as the only one. */
  static final class Resolved extends Guarding {
    private static final long serialVersionUID = 1L;
    static final Resolved ONLY = new Resolved();

    private Resolved() {
      super(ONLY);
    }

    private Object readResolve() {
      return ONLY;
    }
  }

  static class Guarding implements Serializable {
    private static final long serialVersionUID = 1L;

    Guarding(@Nullable Object before) {
      if (before != null) {
        throw new IllegalStateException("made before");
      }
    }
  }

  /** Has a constructor that throws, and does not need it. */
  static final class Streamed extends Guarding {
    private static final long serialVersionUID = 1L;
    private String name = "a";

    private Streamed() {
      super("never");
    }

    Streamed(String name) {
      super(null);
      this.name = name;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
    }
  }

  @Test
  void aConstructorThatThrowsIsRefusedOnEveryJdk() {
    for (Object guarded : List.of(Guarded.ONLY, Resolved.ONLY)) {
      Codec<Object> codec =
          Codecs.builder().allow(guarded.getClass()).build().valueCodec(TypeRef.of(Object.class));
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> codec.encode(List.of("a", guarded)))
            .isInstanceOf(UnencodableValueException.class)
            .hasMessageContaining("throws java.lang.IllegalStateException")
            .hasMessageContaining("value[1]");
      }
    }
  }

  @Test
  void aConstructorThatIsNotUsedMayThrow() {
    Codec<Streamed> codec = Codecs.defaults().valueCodec(TypeRef.of(Streamed.class));
    byte[] bytes = codec.encode(new Streamed("b"));
    assertThat(codec.decode(bytes, 0, bytes.length).name).isEqualTo("b");
  }

  /** Is written, and cannot be read. */
  static final class Unreadable implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) {
      throw new IllegalStateException("no");
    }
  }

  @ParameterizedTest
  @EnumSource
  void theRefusalOfWhatCannotBeReadSaysWhereItIsAndWhatToDo(Fallback fallback) {
    Codec<Parent> codec =
        Codecs.builder()
            .fallback(fallback)
            .allow(Unreadable.class)
            .build()
            .valueCodec(TypeRef.of(Parent.class));
    Parent inner = new Parent("inner", List.of("a", new Unreadable(), "c"));
    assertThatThrownBy(() -> codec.encode(new Parent("outer", List.of(inner, "b"))))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("It is at value.children[0].children[1], an instance of ")
        .hasMessageContaining(Unreadable.class.getName())
        .hasMessageContaining("Store something else in its place")
        .hasMessageNotContaining("nested")
        .hasMessageNotContaining("damaged")
        .hasMessageNotContaining("write the value again");
  }

  @Test
  void theRefusalOfWhatIsNestedTooDeepSaysSo() {
    Codec<Parent> codec = Codecs.defaults().valueCodec(TypeRef.of(Parent.class));
    Parent parent = new Parent("0", List.of());
    for (int i = 1; i < 600; i++) {
      parent = new Parent(String.valueOf(i), List.of(parent));
    }
    Parent deep = parent;
    assertThatThrownBy(() -> codec.encode(deep))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageNotContaining("It is at")
        .hasMessageContaining("deep");
  }
}
