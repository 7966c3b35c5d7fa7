package io.rockpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.benchmarks.PageProgram.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Java of the README and of pages for new users compiles, each block by itself, and prints what
 * the page says. This module has the libraries that users come from.
 */
class PagesTest {
  /** Where the pages expect a server of Redis. */
  private static final String REDIS_PORT = "6379";

  private static final Pattern NUMBER = Pattern.compile("\\d{1,3}(,\\d{3})+");

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

  /** Those that run here: a page about Redis needs a server. */
  static List<Path> runnable() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (Path page : pages()) {
      if (RedisServer.isInstalled() || !needsRedis(new PageProgram(page))) {
        pages.add(page);
      }
    }
    return pages;
  }

  private static boolean needsRedis(PageProgram page) {
    return page.programs().stream().anyMatch(program -> program.code().contains(REDIS_PORT));
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

  /** The README compares with numbers that the programs of this module have measured. */
  @Test
  void theNumbersOfTheReadmeAreMeasured() throws IOException {
    StringBuilder measured = new StringBuilder();
    for (String page : List.of("-jcache", "-spring", "-collections", "-servers", "")) {
      measured.append(Files.readString(root().resolve("docs/benchmarks" + page + ".md")));
    }
    String readme = Files.readString(root().resolve("README.md"));
    String compared = readme.substring(readme.indexOf("## Compared"), readme.indexOf("## Install"));
    List<String> numbers =
        NUMBER.matcher(compared).results().map(number -> number.group()).toList();
    assertThat(numbers).hasSizeGreaterThan(20);
    assertThat(numbers).allSatisfy(number -> assertThat(measured).contains(" " + number + " "));
  }

  @Test
  void theReadmeIsShort() throws IOException {
    assertThat(Files.readAllLines(root().resolve("README.md"))).hasSizeLessThanOrEqualTo(160);
  }

  @ParameterizedTest
  @MethodSource("runnable")
  void theProgramsPrintWhatThePageSays(Path page) throws Exception {
    PageProgram program = new PageProgram(page);
    if (page.endsWith("README.md")) {
      program = program.from(1); // the first one ends the process
    }
    List<String> flags =
        List.of("-Djavax.cache.spi.CachingProvider=io.rockpool.jcache.RockpoolCachingProvider");
    if (!needsRedis(program)) {
      assertThat(program.run(directory, code -> code, flags)).isEqualTo(program.expectedOutput());
      return;
    }
    Path data = Files.createDirectory(directory.resolve("redis"));
    try (RedisServer server = new RedisServer(data)) {
      assertThat(
              program.run(
                  directory,
                  code -> code.replace(REDIS_PORT, Integer.toString(server.port())),
                  flags))
          .isEqualTo(program.expectedOutput());
    }
  }
}
