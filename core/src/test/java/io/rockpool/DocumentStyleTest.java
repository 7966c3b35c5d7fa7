package io.rockpool;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks the wording, lines and links of the documents that people write, and the wording of
 * comments in the source. Generated pages are left out.
 */
@Slow
final class DocumentStyleTest {
  private static final int MAX_COLUMNS = 120;

  /** Phrases that need a second reading: name the subject, and use the field's term. */
  private static final Pattern UNCLEAR =
      Pattern.compile(
          Stream.of(
                  "who(so)?ever|somebody|nobody|everyone|one's own|of one's",
                  "who (wants|needs|waits|looks|comes|asks|says|writes|reads|puts|meets)",
                  "(is|are|was|were|be|been) told|told of|tells of",
                  "(is|was|be) said|said of|not said|says so",
                  "(makes?|gives?|made|gave) way|(gives?|gave|given) back|lets? go",
                  "goes? (on|by|alone|first)|comes? by|hand (goes|comes)",
                  "look(s|ed)? through|(holds?|held) against|as it (comes|reads)",
                  "in the midst|in vain|for want of|as long again|anew|breakdown|books of",
                  "wants? to be|for ever|there (is|are) to be")
              .collect(joining("|", "\\b(", ")\\b")),
          Pattern.CASE_INSENSITIVE);

  private static final Pattern GENERATED =
      Pattern.compile("(properties|evolution|benchmarks.*)\\.md");
  private static final Pattern CODE_BLOCK =
      Pattern.compile("^```.*?^```$", Pattern.MULTILINE | Pattern.DOTALL);

  /**
   * A literal of the source, or a comment, which is group 1. A comment's mark inside a literal
   * begins none.
   */
  private static final Pattern LITERAL_OR_COMMENT =
      Pattern.compile(
          "\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\])*+\"|'(?:\\\\.|[^'\\\\])++'"
              + "|(/\\*.*?\\*/|//[^\n]*)",
          Pattern.DOTALL);

  /** The marks of a comment at the start of its lines. */
  private static final Pattern MARK =
      Pattern.compile("^\\s*(/\\*\\*?|\\*/?|//)", Pattern.MULTILINE);

  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final Pattern TYPE_NAME = Pattern.compile("\\b[A-Z]\\w+");

  /** A type at the first column of a list of the API: its package and simple name. */
  private static final Pattern LISTED_TYPE =
      Pattern.compile("(?m)^\\S.*?\\b(io\\.rockpool(?:\\.[a-z0-9]+)*)\\.([A-Z]\\w+)");

  private static final Pattern ERROR = Pattern.compile("(?m)^\\| `(\\w+Exception)` \\|");
  private static final Pattern METER = Pattern.compile("`(cache|rockpool)\\.[a-z.]+`");
  private static final Pattern LOCK = Pattern.compile("^\\| `([A-Z_]+)` \\|", Pattern.MULTILINE);

  private static final List<String> ADR_PARTS =
      List.of("- Status: ", "- Date: ", "## Context", "## Decision", "## Rejected", "## Evidence");

  static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("docs/ARCHITECTURE.md"))) {
      directory = directory.getParent();
    }
    return directory;
  }

  private static List<Path> markdown(String directory) throws IOException {
    try (Stream<Path> files = Files.list(root().resolve(directory))) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !GENERATED.matcher(file.getFileName().toString()).matches())
          .sorted()
          .toList();
    }
  }

  static List<Path> documents() throws IOException {
    List<Path> documents = pages();
    documents.addAll(decisions());
    return documents;
  }

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(markdown(""));
    pages.addAll(markdown("docs"));
    pages.addAll(markdown("docs/migration"));
    return pages;
  }

  static List<Path> decisions() throws IOException {
    return markdown("docs/adr");
  }

  /** The text without its code blocks, whose lines are kept as empty ones. */
  private static List<String> prose(Path document) throws IOException {
    return CODE_BLOCK
        .matcher(Files.readString(document))
        .replaceAll(block -> block.group().replaceAll("[^\n]", ""))
        .lines()
        .toList();
  }

  /** The main sources of every module. */
  static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String group : List.of("", "integrations", "samples")) {
      try (Stream<Path> modules = Files.list(root().resolve(group))) {
        for (Path main : modules.map(module -> module.resolve("src/main")).toList()) {
          if (Files.isDirectory(main)) {
            addSources(main, sources);
          }
        }
      }
    }
    return sources;
  }

  private static void addSources(Path main, List<Path> sources) throws IOException {
    try (Stream<Path> files = Files.walk(main)) {
      files.filter(file -> file.toString().matches(".*\\.(java|kt)")).forEach(sources::add);
    }
  }

  private static String comments(Path source) throws IOException {
    return LITERAL_OR_COMMENT
        .matcher(Files.readString(source))
        .results()
        .map(result -> result.group(1))
        .filter(Objects::nonNull)
        .map(comment -> MARK.matcher(comment).replaceAll(""))
        .collect(joining("\n"));
  }

  private static List<String> unclear(String text) {
    return UNCLEAR.matcher(text.replaceAll("\\s+", " ")).results().map(MatchResult::group).toList();
  }

  private static boolean mayBeLong(String line) {
    return line.startsWith("|") || !line.strip().contains(" ");
  }

  @ParameterizedTest
  @MethodSource("documents")
  void linesAreShort(Path document) throws IOException {
    assertThat(prose(document))
        .filteredOn(line -> !mayBeLong(line))
        .as("lines of more than " + MAX_COLUMNS + " characters; wrap them")
        .allMatch(line -> line.codePointCount(0, line.length()) <= MAX_COLUMNS);
  }

  @ParameterizedTest
  @MethodSource("documents")
  void phrasesAreClear(Path document) throws IOException {
    assertThat(unclear(String.join("\n", prose(document))))
        .as("unclear phrases; see the style in CONTRIBUTING.md")
        .isEmpty();
  }

  @Test
  void commentsAreClear() throws IOException {
    Map<String, List<String>> found = new TreeMap<>();
    List<Path> sources = sources();
    assertThat(sources).hasSizeGreaterThan(1_000);
    for (Path source : sources) {
      List<String> phrases = unclear(comments(source));
      if (!phrases.isEmpty()) {
        found.put(source.getFileName().toString(), phrases);
      }
    }
    assertThat(found).as("unclear phrases; see the style in CONTRIBUTING.md").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void linksLeadToFiles(Path document) throws IOException {
    List<String> missing = new ArrayList<>();
    for (String line : prose(document)) {
      Matcher link = LINK.matcher(line);
      while (link.find()) {
        if (!Files.exists(document.resolveSibling(link.group(1)))) {
          missing.add(link.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Pasted code compiles only if the reader can find its packages. */
  @ParameterizedTest
  @MethodSource("pages")
  void packagesOfProgramsAreNamed(Path page) throws IOException {
    String text = Files.readString(page);
    Map<String, Set<String>> types = publicTypes();
    List<String> missing = new ArrayList<>();
    for (MatchResult block : JAVA_BLOCK.matcher(text).results().toList()) {
      String code = block.group(1).replaceAll("\"[^\"]*\"|//.*", "");
      for (MatchResult word : TYPE_NAME.matcher(code).results().toList()) {
        Set<String> packages = types.getOrDefault(word.group(), Set.of());
        if (!packages.isEmpty()
            && packages.stream().noneMatch(it -> isNamed(it, word.group(), text))) {
          missing.add(word.group() + " of " + packages);
        }
      }
    }
    assertThat(missing).as("types without their package; add an import").isEmpty();
  }

  private static boolean isNamed(String packageName, String type, String text) {
    return Stream.of(".*", "." + type, "`").anyMatch(end -> text.contains(packageName + end));
  }

  /** The packages of the public types of all modules by their simple names. */
  private static Map<String, Set<String>> publicTypes() throws IOException {
    Map<String, Set<String>> types = new TreeMap<>();
    try (Stream<Path> lists = Files.list(root().resolve("docs/api"))) {
      for (Path list : lists.toList()) {
        Matcher type = LISTED_TYPE.matcher(Files.readString(list));
        while (type.find()) {
          types.computeIfAbsent(type.group(2), name -> new TreeSet<>()).add(type.group(1));
        }
      }
    }
    return types;
  }

  @Test
  void theOperationsPageHasEveryError() throws IOException {
    String page = Files.readString(root().resolve("docs/operations.md"));
    List<String> rows = ERROR.matcher(page).results().map(row -> row.group(1)).toList();
    try (Stream<Path> files = Files.list(root().resolve("core/src/main/java/io/rockpool/error"))) {
      assertThat(rows)
          .containsExactlyElementsOf(
              files
                  .map(file -> file.getFileName().toString().replace(".java", ""))
                  .filter(name -> name.endsWith("Exception") && !name.equals("RockpoolException"))
                  .sorted()
                  .toList());
    }
  }

  /** The meters that the operations page watches are in the list of all. */
  @Test
  void theOperationsPageHasMetersThatExist() throws IOException {
    String page = Files.readString(root().resolve("docs/operations.md"));
    String all = Files.readString(root().resolve("docs/spring.md"));
    List<String> meters =
        METER
            .matcher(page.substring(page.indexOf("## Five meters"), page.indexOf("## At each")))
            .results()
            .map(MatchResult::group)
            .toList();
    assertThat(meters).hasSizeGreaterThan(10).allSatisfy(meter -> assertThat(all).contains(meter));
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void decisionsHaveAllParts(Path decision) throws IOException {
    int number = Integer.parseInt(decision.getFileName().toString().substring(0, 4));
    String text = Files.readString(decision);
    assertThat(text).startsWith("# " + number + ". ");
    ADR_PARTS.forEach(part -> assertThat(text).contains("\n" + part));
  }

  @Test
  void theLockTableHasTheOrderOfTheLocks() throws IOException {
    String page = Files.readString(root().resolve("docs/ARCHITECTURE.md"));
    List<String> levels =
        LOCK.matcher(page.substring(page.indexOf("\n## Locks")))
            .results()
            .map(row -> row.group(1))
            .toList();
    assertThat(levels).isEqualTo(Arrays.stream(LockLevel.values()).map(Enum::name).toList());
  }
}
