package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SourceLoader;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Applications with class loaders of their own, that come and go. */
@Slow
class ClassLoaderTest {
  private final Locale before = Locale.getDefault();

  /** In locales with other digits than Java's, Fory compiles no serializers. */
  @BeforeEach
  void letForyCompile() {
    Locale.setDefault(Locale.US);
  }

  @AfterEach
  void setBack() {
    Locale.setDefault(before);
  }

  private static final String SOURCE =
      """
      public record Main(String id, List<Part> parts, Color color) implements Serializable {
        public record Part(int number) implements Serializable {}
        public record Key(String name, int number) {}
        public static class Legacy implements Serializable { int a; String b = "b"; }
        public enum Color { RED }
        public static Object make() {
          return new Main("x", new ArrayList<>(List.of(new Part(1))), Color.RED);
        }
      }
      """;

  @ParameterizedTest
  @EnumSource
  void nothingKeepsAnApplicationsClassesAlive(Fallback fallback) {
    WeakReference<ClassLoader> gone = useAndForget(fallback);
    for (int i = 0; i < 20 && gone.get() != null; i++) {
      clearSoftReferences();
    }
    assertThat(gone.get()).isNull();
  }

  /** Before it says that there is no room, the virtual machine clears them all. */
  private static void clearSoftReferences() {
    try {
      Object tooMuch = new long[Integer.MAX_VALUE - 8];
      throw new AssertionError("The heap is too large for this test: " + tooMuch);
    } catch (OutOfMemoryError expected) {
      System.gc();
    }
  }

  private static WeakReference<ClassLoader> useAndForget(Fallback fallback) {
    SourceLoader loader = new SourceLoader(SOURCE);
    Codecs codecs = Codecs.builder().classLoader(loader).fallback(fallback).build();
    Codec<Object> values = codecs.valueCodec(TypeRef.of(loader.main()));
    // No equals and no assertThat on its objects: both remember classes that they have seen.
    byte[] bytes = values.encode(loader.make());
    byte[] again = values.encode(values.decode(bytes, 0, bytes.length));
    assertThat(again).isEqualTo(bytes);
    codecs.keyCodec(TypeRef.of(loader.named("app.Main$Key")));
    codecs.keyCodec(TypeRef.of(loader.named("app.Main$Legacy")));
    codecs.keyCodec(TypeRef.of(Object.class)).encode("x");
    return new WeakReference<>(loader);
  }

  @ParameterizedTest
  @EnumSource
  void eachCodecsFindsClassesInItsOwnLoader(Fallback fallback) {
    SourceLoader one = new SourceLoader(SOURCE);
    SourceLoader two = new SourceLoader(SOURCE);
    Codecs first = Codecs.builder().fallback(fallback).allowPackage("app").classLoader(one).build();
    Codec<List<Object>> lists = first.valueCodec(new TypeRef<List<Object>>() {});
    byte[] bytes = lists.encode(new ArrayList<>(List.of(one.make())));
    Object back = lists.decode(bytes, 0, bytes.length).get(0);
    assertThat(back.getClass()).isSameAs(one.main());
    Codec<List<Object>> others =
        first.withClassLoader(two).valueCodec(new TypeRef<List<Object>>() {});
    Object other = others.decode(bytes, 0, bytes.length).get(0);
    assertThat(other.getClass()).isSameAs(two.main());
    assertThat(other).hasToString(back.toString());
  }

  @Test
  void theThreadsOwnLoaderIsNotAsked() {
    SourceLoader loader = new SourceLoader(SOURCE);
    Codecs codecs = Codecs.builder().allowPackage("app").classLoader(loader).build();
    Codec<List<Object>> lists = codecs.valueCodec(new TypeRef<List<Object>>() {});
    byte[] bytes = lists.encode(new ArrayList<>(List.of(loader.make())));
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new SourceLoader(SOURCE));
    try {
      Object back =
          codecs.valueCodec(new TypeRef<List<Object>>() {}).decode(bytes, 0, bytes.length).get(0);
      assertThat(back.getClass()).isSameAs(loader.main());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void theThreadNeedNotKnowTheClassLoader() throws Exception {
    String source =
        """
        public record Main(Shape shape, Map<Color, Line> lines) {
          interface Shape {}
          enum Color { RED }
          record Dot(int x) implements Shape {}
          static class Line { private Dot from = new Dot(1); }
          public static Object make() {
            return new Main(new Dot(7), new EnumMap<>(Map.of(Color.RED, new Line())));
          }
        }
        """;
    SourceLoader loader = new SourceLoader(source);
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    Codecs codecs = Codecs.builder().allowPackage("app").classLoader(loader).build();
    byte[] bytes = codecs.valueCodec(TypeRef.of(loader.main())).encode(loader.make());
    assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(context);
    SourceLoader again = new SourceLoader(source);
    Codec<Object> after = codecs.withClassLoader(again).valueCodec(TypeRef.of(again.main()));
    assertThat(after.decode(bytes, 0, bytes.length).toString()).startsWith("Main[shape=Dot[x=7]");
    assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(context);
  }

  @Test
  void aFieldThatNoCodeCanBeGeneratedForIsRefusedWithWhatToDo() {
    String source =
        """
        public class Main {
          Part part = new Part();
          static class Part { int x = 3; }
          public static Object make() { return new Main(); }
        }
        """;
    SourceLoader loader = new SourceLoader(source);
    assertThatThrownBy(() -> loader.codec(Fallback.FORY).encode(loader.make()))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("make the field private or the type public");
    SourceLoader mended = new SourceLoader(source.replace("Part part", "private Part part"));
    Codec<Object> codec = mended.codec(Fallback.FORY);
    byte[] bytes = codec.encode(mended.make());
    assertThat(codec.decode(bytes, 0, bytes.length)).isInstanceOf(mended.main());
  }

  @Test
  void arraysOfTypesThatAreNotPublicAreFound() {
    String source =
        """
        public class Main {
          private E[] enums = {E.A};
          private E[][][] deep = {{{E.B}, null}};
          private P[] parts = {new P()};
          private List<P[][]> list = Collections.singletonList(new P[][] {{new P()}});
          private enum E { A, B { } }
          private static class P { int a = 7; }
          public static Object make() { return new Main(); }
          public String toString() {
            return Arrays.toString(enums) + Arrays.deepToString(deep) + parts[0].a
                + list.get(0)[0][0].a;
          }
        }
        """;
    SourceLoader loader = new SourceLoader(source);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    for (ClassLoader context : new ClassLoader[] {before, loader, null}) {
      SourceLoader again = new SourceLoader(source);
      thread.setContextClassLoader(context);
      try {
        byte[] bytes = loader.codec(Fallback.FORY).encode(loader.make());
        assertThat(thread.getContextClassLoader()).isSameAs(context);
        assertThat(again.codec(Fallback.FORY).decode(bytes, 0, bytes.length))
            .hasToString("[A][[[B], null]]77");
        assertThat(thread.getContextClassLoader()).isSameAs(context);
      } finally {
        thread.setContextClassLoader(before);
      }
    }
  }

  /** Encodes the first value of a process, on a thread of an application. */
  static final class FirstValue {
    record Part(int number) {}

    public static void main(String[] arguments) throws Exception {
      Thread thread = Thread.currentThread();
      thread.setContextClassLoader(new SourceLoader(SOURCE));
      Codecs codecs = Codecs.builder().classLoader(FirstValue.class.getClassLoader()).build();
      byte[] unused = codecs.valueCodec(TypeRef.of(Part.class)).encode(new Part(1));
      for (Thread other : Thread.getAllStackTraces().keySet()) {
        if (other != thread && other.getContextClassLoader() instanceof SourceLoader) {
          System.out.println(other.getName());
        }
      }
      System.out.println("no other thread");
    }
  }

  @Test
  void noThreadOfForyKeepsAnApplicationsClassLoader() throws Exception {
    try (Child child = Child.start(FirstValue.class, List.of())) {
      assertThat(child.readLine()).isEqualTo("no other thread");
    }
  }
}
