package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.PublicApi;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An overload of ours leaves every call of a method of {@code java.util} unambiguous, also with
 * {@code null}: what compiles with a JDK collection compiles with ours.
 */
final class NullLiteralsTest {
  @TempDir Path directory;

  @Test
  void nullIsNoAmbiguousArgumentOfJavasMethods() throws Exception {
    StringBuilder source = new StringBuilder("final class Calls {\n");
    int calls = 0;
    for (Class<?> type : PublicApi.types(Rockpool.class)) {
      for (Method method : type.getMethods()) {
        if (!isInherited(type, method)) {
          continue;
        }
        for (List<Boolean> nulls : nulls(method)) {
          source.append(call(type, method, nulls, calls++));
        }
      }
    }
    assertThat(calls).isGreaterThan(50);
    assertThat(errors(source.append("}\n").toString())).isEmpty();
  }

  /** Whether an interface of the JDK that the type extends has the method. */
  private static boolean isInherited(Class<?> type, Method method) {
    return !Modifier.isStatic(method.getModifiers())
        && !method.isSynthetic()
        && !method.getName().equals("toArray") // ambiguous in the JDK, too
        && interfaces(type)
            .filter(each -> each.getName().startsWith("java."))
            .flatMap(each -> Arrays.stream(each.getMethods()))
            .anyMatch(
                each ->
                    each.getName().equals(method.getName())
                        && Arrays.equals(each.getParameterTypes(), method.getParameterTypes()));
  }

  private static Stream<Class<?>> interfaces(Class<?> type) {
    Stream<Class<?>> above =
        type.getSuperclass() == null ? Stream.of() : interfaces(type.getSuperclass());
    return Stream.concat(
        above,
        Arrays.stream(type.getInterfaces())
            .flatMap(each -> Stream.concat(Stream.of(each), interfaces(each))));
  }

  /** Which arguments are null: each alone, and all. */
  private static List<List<Boolean>> nulls(Method method) {
    Class<?>[] types = method.getParameterTypes();
    List<List<Boolean>> nulls = new ArrayList<>();
    for (int one = -1; one < types.length; one++) {
      int only = one;
      nulls.add(
          IntStream.range(0, types.length)
              .mapToObj(i -> !types[i].isPrimitive() && (only < 0 || only == i))
              .toList());
    }
    nulls.removeIf(each -> !each.contains(true));
    return nulls;
  }

  /** A method with a call, whose other arguments are of the parameters' own types. */
  private static String call(Class<?> type, Method method, List<Boolean> nulls, int number) {
    List<String> variables = Arrays.stream(type.getTypeParameters()).map(Object::toString).toList();
    String generic = variables.isEmpty() ? "" : "<" + String.join(", ", variables) + ">";
    List<String> arguments = new ArrayList<>();
    List<String> parameters = new ArrayList<>(List.of(type.getCanonicalName() + generic + " it"));
    for (int i = 0; i < nulls.size(); i++) {
      if (nulls.get(i)) {
        arguments.add("null");
      } else {
        arguments.add("a" + i);
        String variable = method.getGenericParameterTypes()[i].getTypeName();
        String raw = method.getParameterTypes()[i].getCanonicalName();
        parameters.add((variables.contains(variable) ? variable : raw) + " a" + i);
      }
    }
    return String.format(
        "  @SuppressWarnings(\"unchecked\") %s void call%d(%s) throws Throwable { it.%s(%s); }%n",
        generic,
        number,
        String.join(", ", parameters),
        method.getName(),
        String.join(", ", arguments));
  }

  private List<String> errors(String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("memory:/Calls.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    compiler
        .getTask(
            null,
            null,
            found,
            List.of(
                "-proc:none", "-Xmaxerrs", "10000", "-implicit:none", "-d", directory.toString()),
            null,
            List.of(file))
        .call();
    String[] lines = source.split("\n", -1);
    return found.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(
            each ->
                lines[(int) each.getLineNumber() - 1].trim() + " " + each.getMessage(Locale.ROOT))
        .toList();
  }
}
