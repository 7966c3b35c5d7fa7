package io.rockpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.benchmarks.PageProgram.Program;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.RedisProcess;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The Java of the README and of pages for new users compiles, each block by itself, and prints what
 * the page says. This module has the libraries that users come from.
 */
class PagesTest {
  /** Where the pages expect a server of Redis. */
  private static final String REDIS_PORT = "6379";

  private static final List<String> FLAGS =
      List.of("-Djavax.cache.spi.CachingProvider=io.rockpool.jcache.RockpoolCachingProvider");

  private static final Pattern NUMBER = Pattern.compile("\\d{1,3}(,\\d{3})+");
  private static final Pattern PROGRAM = Pattern.compile("(?ms)^```.*?^```$");

  @TempDir Path directory;

  private static Path root() {
    return Path.of("").toAbsolutePath().getParent();
  }

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    pages.add(root().resolve("README.md"));
    for (String page : List.of("basics.md", "collections.md", "jcache.md", "write-stalls.md")) {
      pages.add(root().resolve("docs").resolve(page));
    }
    try (Stream<Path> files = Files.list(root().resolve("docs/migration"))) {
      files.filter(file -> !file.endsWith("README.md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  static List<Path> pagesWithoutRedis() throws IOException {
    List<Path> pages = pages();
    pages.removeAll(pagesWithRedis());
    return pages;
  }

  static List<Path> pagesWithRedis() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (Path page : pages()) {
      if (new PageProgram(page)
          .programs().stream().anyMatch(program -> program.code().contains(REDIS_PORT))) {
        pages.add(page);
      }
    }
    return pages;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void eachBlockCompilesByItself(Path page) throws IOException {
    List<Program> programs = new PageProgram(page).programs();
    assertThat(programs).isNotEmpty();
    for (Program program : programs) {
      assertThat(PageProgram.errors(program, directory)).isEmpty();
      assertThat(
              PageProgram.errors(
                  new Program(program.code().replaceAll("import .*", ""), ""), directory))
          .contains("cannot find symbol");
    }
  }

  /** The programs of the tutorial have what they share in the first block. */
  @Test
  void theProgramsOfTheTutorialCompileBelowItsFirstBlock() throws IOException {
    List<Program> programs = new PageProgram(root().resolve("docs/tutorial.md")).programs();
    assertThat(programs).hasSize(13);
    for (Program program : programs.subList(1, programs.size())) {
      String whole = programs.get(0).code() + program.code();
      assertThat(PageProgram.errors(new Program(whole, ""), directory)).isEmpty();
    }
  }

  /** Each run of the README's first program, which ends without closing its store, shows all. */
  @Test
  void theFirstProgramOfTheReadmeLosesNothing() throws Exception {
    PageProgram hello = new PageProgram(root().resolve("README.md")).only(0);
    for (int run = 1; run <= 3; run++) {
      assertThat(hello.run(directory, code -> code, List.of())).startsWith(run + " runs: {");
    }
  }

  /** Large numbers of these pages are those that the programs of this module have measured. */
  @ParameterizedTest
  @ValueSource(
      strings = {"README", "docs/collections", "docs/faq", "docs/operations", "docs/write-stalls"})
  void largeNumbersAreMeasured(String page) throws IOException {
    Set<String> known = new HashSet<>();
    for (String part : List.of("", "-jcache", "-spring", "-collections", "-servers", "-scale")) {
      known.addAll(numbers(Files.readString(root().resolve("docs/benchmarks" + part + ".md"))));
    }
    String text = Files.readString(root().resolve(page + ".md"));
    assertThat(known)
        .hasSizeGreaterThan(100)
        .containsAll(numbers(PROGRAM.matcher(text).replaceAll("")));
  }

  private static Set<String> numbers(String text) {
    return NUMBER.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  @Test
  void theReadmeIsShort() throws IOException {
    assertThat(Files.readAllLines(root().resolve("README.md"))).hasSizeLessThanOrEqualTo(160);
  }

  @Slow
  @ParameterizedTest
  @MethodSource("pagesWithoutRedis")
  void theProgramsPrintWhatThePageSays(Path page) throws Exception {
    PageProgram program = program(page);
    assertThat(program.run(directory, code -> code, FLAGS)).isEqualTo(program.expectedOutput());
  }

  @Slow
  @ParameterizedTest
  @MethodSource("pagesWithRedis")
  @Needs(Tool.REDIS)
  void theProgramsWithRedisPrintWhatThePageSays(Path page) throws Exception {
    PageProgram program = program(page);
    int runs = page.endsWith("README.md") ? 2 : 1; // its caches and collections are there again
    try (RedisProcess server = RedisProcess.start()) {
      for (int run = 0; run < runs; run++) {
        assertThat(
                program.run(
                    directory,
                    code -> code.replace(REDIS_PORT, Integer.toString(server.port())),
                    FLAGS))
            .isEqualTo(program.expectedOutput());
      }
    }
  }

  private static PageProgram program(Path page) throws IOException {
    PageProgram program = new PageProgram(page);
    return page.endsWith("README.md") ? program.from(1) : program; // the first one ends the process
  }
}
