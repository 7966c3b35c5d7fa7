package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.testing.SourceLoader;
import java.io.Externalizable;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one version of a class wrote, the next one reads. */
class SchemaEvolutionTest {
  private static final String FIRST =
      """
      public record Main(String id, long amount, Coupon coupon, List<Line> lines, Kind kind)
          implements Serializable {
        public record Line(String sku, int count) implements Serializable {}
        public record Coupon(String code, Set<String> uses) implements Serializable {}
        public enum Kind { OLD, NEW }
        public static Object make() {
          return new Main("o1", 7, new Coupon("c", Set.of("x")), List.of(new Line("s", 2)),
              Kind.NEW);
        }
      }
      """;

  private static String upgrade(String from, String to, Fallback fallback) {
    SourceLoader before = new SourceLoader(from);
    byte[] bytes = before.codec(fallback).encode(before.make());
    return String.valueOf(new SourceLoader(to).codec(fallback).decode(bytes, 0, bytes.length));
  }

  @ParameterizedTest
  @EnumSource
  void aRecordLosesGainsReordersAndRenamesComponents(Fallback fallback) {
    String second =
        """
        public record Main(Kind kind, long total, List<Line> lines, String id, Integer rank)
            implements Serializable {
          private static final long serialVersionUID = 0;
          public record Line(String note, int count) implements Serializable {}
          public enum Kind { NEWEST, NEW, OLD }
        }
        """;
    assertThat(upgrade(FIRST, second, fallback))
        .isEqualTo("Main[kind=NEW, total=0, lines=[Line[note=null, count=2]], id=o1, rank=null]");
  }

  @ParameterizedTest
  @EnumSource
  void aLostComponentIsSkippedWhereItsClassIsStillThere(Fallback fallback) {
    String second =
        """
        public record Main(String id) implements Serializable {
          public record Coupon(String code, Set<String> uses) implements Serializable {}
        }
        """;
    assertThat(upgrade(FIRST, second, fallback)).isEqualTo("Main[id=o1]");
  }

  @ParameterizedTest
  @EnumSource
  void anOrdinaryClassEvolvesToo(Fallback fallback) {
    String first =
        """
        public class Main implements Serializable {
          private static final long serialVersionUID = 1;
          String name = "n"; int[] marks = {1, 2}; Main next; Map<String, Object> more;
          public static Object make() {
            Main m = new Main(); m.next = m; m.more = new TreeMap<>(Map.of("k", 1L)); return m;
          }
        }
        """;
    String second =
        """
        public class Main implements Serializable {
          private static final long serialVersionUID = 1;
          Map<String, Object> more; String name; Optional<String> fresh; Main next;
          @Override public String toString() {
            return name + more + fresh + (next == this);
          }
        }
        """;
    assertThat(upgrade(first, second, fallback)).isEqualTo("n{k=1}nulltrue");
  }

  @ParameterizedTest
  @EnumSource
  void anEnumConstantThatIsGoneIsUndecodable(Fallback fallback) {
    String second =
        """
        public record Main(Kind kind) implements Serializable {
          public enum Kind { OLD }
        }
        """;
    assertThatThrownBy(() -> upgrade(FIRST, second, fallback))
        .isInstanceOf(UndecodableValueException.class)
        .rootCause()
        .hasMessageContaining("NEW");
  }

  /** The kinds that a class can have, each with an instance. */
  private static final Map<String, List<String>> KINDS =
      Map.of(
          "record",
          List.of("record D(int a) implements Serializable {}", "new D(1)"),
          "class",
          List.of("static class D implements Serializable { int a = 1; }", "new D()"),
          "enum",
          List.of("enum D { X }", "D.X"),
          "interface",
          List.of("interface D {}", "null"),
          "map",
          List.of("static class D extends HashMap<String, Integer> {}", "new D()"),
          "list",
          List.of("static class D extends ArrayList<Integer> {}", "new D()"),
          "writes itself",
          List.of(
              """
              static class D implements Serializable {
                int a = 1;
                private void writeObject(ObjectOutputStream out) throws IOException {
                  out.defaultWriteObject();
                  out.writeInt(9);
                }
                private void readObject(ObjectInputStream in) throws Exception {
                  in.defaultReadObject();
                  a += in.readInt();
                }
              }
              """,
              "new D()"),
          "externalizable",
          List.of(
              """
              static class D implements Externalizable {
                public D() {}
                public void writeExternal(ObjectOutput out) throws IOException { out.writeInt(5); }
                public void readExternal(ObjectInput in) throws IOException { in.readInt(); }
              }
              """,
              "new D()"),
          "externalizable with more",
          List.of(
              """
              static class D implements Externalizable {
                public D() {}
                public void writeExternal(ObjectOutput out) throws IOException {
                  out.writeLong(5);
                  out.writeLong(6);
                }
                public void readExternal(ObjectInput in) throws IOException {
                  in.readLong();
                  in.readLong();
                }
              }
              """,
              "new D()"));

  private static SourceLoader of(String kind) {
    List<String> parts = Objects.requireNonNull(KINDS.get(kind));
    return new SourceLoader(
        "public record Main(Object held) implements Serializable { public "
            + parts.get(0)
            + " public static Object make() { return new Main("
            + parts.get(1)
            + "); } }");
  }

  @ParameterizedTest
  @EnumSource
  void aClassOfAnotherKindIsNamedByItsRefusal(Fallback fallback) {
    List<String> refused = new ArrayList<>();
    List<String> unclear = new ArrayList<>();
    for (String from : KINDS.keySet()) {
      SourceLoader before = of(from);
      byte[] bytes = codec(before, fallback).encode(before.make());
      for (String to : KINDS.keySet()) {
        if (from.equals(to) || from.equals("interface")) {
          continue;
        }
        SourceLoader after = of(to);
        try {
          assertThat(codec(after, fallback).decode(bytes, 0, bytes.length))
              .isInstanceOf(after.main());
        } catch (UndecodableValueException e) {
          refused.add(from + " to " + to);
          String message = String.valueOf(e.getMessage());
          // Bytes that a class reads in another way do not always tell which class that is.
          if (!message.contains("class app.Main$D")
              && !message.contains("class in it has another")) {
            unclear.add(from + " to " + to + ": " + message);
          }
        }
      }
    }
    assertThat(unclear).isEmpty();
    assertThat(refused).hasSizeGreaterThan(20);
  }

  private static Codec<Object> codec(SourceLoader loader, Fallback fallback) {
    return Codecs.builder()
        .classLoader(loader)
        .fallback(fallback)
        .allow(loader.named("app.Main$D"))
        .build()
        .valueCodec(TypeRef.of(loader.main()));
  }

  @ParameterizedTest
  @EnumSource
  void anObjectOfAClassThatIsGoneIsUndecodableWhereItIsWanted(Fallback fallback) {
    String first =
        """
        public record Main(Object held, List<Object> all) implements Serializable {
          public record Gone(String text) implements Serializable {}
          public static Object make() { return new Main(new Gone("x"), null); }
        }
        """;
    String second = "public record Main(Object held, List<Object> all) implements Serializable {}";
    SourceLoader before = new SourceLoader(first);
    byte[] bytes =
        Codecs.builder()
            .classLoader(before)
            .fallback(fallback)
            .allow(before.named("app.Main$Gone"))
            .build()
            .valueCodec(TypeRef.of(before.main()))
            .encode(before.make());
    Codec<Object> after = new SourceLoader(second).codec(fallback);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> after.decode(bytes, 0, bytes.length))
          .isInstanceOf(UndecodableValueException.class)
          .hasMessageContaining("app.Main$Gone");
    }
  }

  @Test
  void aConstantOfAnEnumThatIsGoneIsUndecodableWhereItIsWanted() {
    String first =
        """
        public record Main(Object held, Object[] more) {
          public enum Gone { A, B }
          public static Object make() { return new Main(Gone.B, new Gone[] {Gone.A}); }
        }
        """;
    SourceLoader before = new SourceLoader(first);
    byte[] bytes =
        Codecs.builder()
            .classLoader(before)
            .allow(before.named("app.Main$Gone"))
            .build()
            .valueCodec(TypeRef.of(before.main()))
            .encode(before.make());
    for (String second : List.of("Object held", "Object[] more")) {
      Codec<Object> after =
          new SourceLoader("public record Main(" + second + ") {}").codec(Fallback.FORY);
      assertThatThrownBy(() -> after.decode(bytes, 0, bytes.length))
          .isInstanceOf(UndecodableValueException.class)
          .hasMessageContaining("Gone");
    }
    Codec<Object> neither = new SourceLoader("public record Main(int x) {}").codec(Fallback.FORY);
    assertThat(neither.decode(bytes, 0, bytes.length)).hasToString("Main[x=0]");
  }

  @Test
  void aTypeThatChangesBeyondRecognitionIsUndecodable() {
    SourceLoader before = new SourceLoader(FIRST);
    byte[] bytes = before.codec(Fallback.FORY).encode(before.make());
    Codec<Object> after =
        new SourceLoader("public record Main(List<String> id, boolean[] amount) {}")
            .codec(Fallback.FORY);
    assertThatThrownBy(() -> after.decode(bytes, 0, bytes.length))
        .isInstanceOf(UndecodableValueException.class);
  }

  public static final class Counted implements Externalizable {
    static final AtomicInteger WRITTEN = new AtomicInteger();
    private static final long serialVersionUID = 1L;

    public Counted() {}

    @Override
    public void writeExternal(ObjectOutput out) {
      WRITTEN.incrementAndGet();
    }

    @Override
    public void readExternal(ObjectInput in) {}
  }

  @Test
  void aValueWithoutForeignClassesIsNotWrittenToReadIt() {
    String first =
        """
        public record Main(String id, Object held) {
          public record Gone(String text) {}
          public static Object make() { return new Main("a", new Gone("x")); }
        }
        """;
    SourceLoader before = new SourceLoader(first);
    byte[] foreign =
        Codecs.builder()
            .classLoader(before)
            .allowPackage("app")
            .build()
            .valueCodec(TypeRef.of(Object.class))
            .encode(before.make());
    Codec<Object> codec =
        Codecs.builder()
            .classLoader(new SourceLoader("public record Main(String id) {}"))
            .allowPackage("app")
            .allow(Counted.class)
            .build()
            .valueCodec(TypeRef.of(Object.class));
    byte[] known = codec.encode(new Counted());
    assertThat(codec.decode(foreign, 0, foreign.length)).hasToString("Main[id=a]");
    Counted.WRITTEN.set(0);
    for (int i = 0; i < 3; i++) {
      assertThat(codec.decode(known, 0, known.length)).isInstanceOf(Counted.class);
    }
    assertThat(Counted.WRITTEN).hasValue(0);
  }
}
