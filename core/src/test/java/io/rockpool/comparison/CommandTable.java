package io.rockpool.comparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of docs/commands.md: a section for each type, a row for each command or call. */
record CommandTable(List<Entry> entries) {
  private static final Pattern SECTION = Pattern.compile("## (.+)");
  private static final Pattern ROW = Pattern.compile("\\| (.+?) \\| (.+?) \\| (.+?) \\|");
  /** The sections of the types that are compared; `CommandsTest` checks the others. */
  private static final List<String> SECTIONS = List.of("Deques", "Scored sets", "Sets");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** A row: the commands and the methods in its cells. */
  record Entry(String section, List<String> commands, List<String> methods, String cost) {}

  /** Reads the page. */
  static CommandTable read() throws IOException {
    List<Entry> entries = new ArrayList<>();
    String section = "";
    for (String line : Files.readAllLines(page())) {
      Matcher title = SECTION.matcher(line);
      Matcher row = ROW.matcher(line);
      if (title.matches()) {
        section = title.group(1);
      } else if (row.matches() && CODE.matcher(row.group(2)).find()) {
        if (SECTIONS.contains(section)) {
          entries.add(new Entry(section, codes(row.group(1)), codes(row.group(2)), row.group(3)));
        }
      }
    }
    return new CommandTable(entries);
  }

  private static Path page() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("docs/commands.md"))) {
      directory = directory.getParent();
    }
    return directory.resolve("docs/commands.md");
  }

  private static List<String> codes(String cell) {
    return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
  }

  /** The names of the commands of some sections, without their arguments. */
  List<String> commands(List<String> sections) {
    return entries.stream()
        .filter(entry -> sections.contains(entry.section()))
        .flatMap(entry -> entry.commands().stream())
        .map(command -> command.split(" ", 2)[0])
        .distinct()
        .toList();
  }
}
