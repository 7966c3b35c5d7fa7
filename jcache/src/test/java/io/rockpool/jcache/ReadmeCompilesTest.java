package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each sample of the README compiles by itself, with its own imports. */
class ReadmeCompilesTest {
  private static final Pattern SAMPLE = Pattern.compile("(?ms)^```java\n(.*?)^```$");

  @TempDir Path classes;

  static List<String> samples() throws IOException {
    String readme = Files.readString(Path.of("").toAbsolutePath().resolveSibling("README.md"));
    return SAMPLE.matcher(readme).results().map(sample -> sample.group(1)).toList();
  }

  /** A class with the imports of a sample, and a method with its statements. */
  private static String asClass(String sample) {
    String imports =
        Stream.of(sample.split("\n"))
            .filter(line -> line.startsWith("import "))
            .collect(Collectors.joining("\n"));
    String statements = sample.replaceAll("(?m)^import .*$", "");
    return imports + "\nclass Sample { void sample() throws Exception {\n" + statements + "}}";
  }

  private String errors(String source) {
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///Sample.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    List<String> options =
        List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", "" + classes);
    boolean compiled = compiler.getTask(errors, null, null, options, null, List.of(file)).call();
    return compiled ? "" : errors.toString();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aSampleCompiles(String sample) {
    assertThat(errors(asClass(sample))).isEmpty();
  }

  @Test
  void aSampleWithoutItsImportsDoesNotCompile() throws IOException {
    assertThat(samples()).hasSizeGreaterThanOrEqualTo(3);
    for (String sample : samples()) {
      assertThat(errors(asClass(sample.replaceAll("import .*", ""))))
          .contains("cannot find symbol");
    }
  }
}
