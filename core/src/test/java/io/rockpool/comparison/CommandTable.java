package io.rockpool.comparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands of docs/commands.md: a section for each type, a row for each command. */
final class CommandTable {
  private static final Pattern SECTION = Pattern.compile("## (.+)");
  private static final Pattern ROW = Pattern.compile("\\| (`.+?) \\| .+ \\| .+ \\|");
  private static final Pattern COMMAND = Pattern.compile("`([A-Z]{3,})[^`]*`");

  private CommandTable() {}

  /** The names of the commands in some sections, without their arguments. */
  static List<String> commands(List<String> sections) throws IOException {
    List<String> commands = new ArrayList<>();
    boolean isWanted = false;
    for (String line : Files.readAllLines(Path.of("..", "docs", "commands.md"))) {
      Matcher title = SECTION.matcher(line);
      Matcher row = ROW.matcher(line);
      if (title.matches()) {
        isWanted = sections.contains(title.group(1));
      } else if (isWanted && row.matches()) {
        COMMAND.matcher(row.group(1)).results().forEach(found -> commands.add(found.group(1)));
      }
    }
    return commands;
  }
}
