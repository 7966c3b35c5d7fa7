package io.rockpool.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The manual page of a command or verb in the language of {@code man}, from the command's model.
 */
final class ManualPage {
  /** The section of commands. */
  private static final String SECTION = "1";

  private final List<String> lines = new ArrayList<>();

  private ManualPage() {}

  /** The pages by the names of their files. */
  static Map<String, String> all(CommandLine rockpool) {
    Map<String, String> pages = new java.util.TreeMap<>();
    pages.put(file(rockpool), text(rockpool));
    rockpool.getSubcommands().values().forEach(verb -> pages.put(file(verb), text(verb)));
    return pages;
  }

  private static String file(CommandLine command) {
    return pageName(command) + "." + SECTION;
  }

  private static String pageName(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-");
  }

  private static String text(CommandLine command) {
    ManualPage page = new ManualPage();
    CommandSpec spec = command.getCommandSpec();
    List<String> description = List.of(spec.usageMessage().description());
    page.macro(
        "TH", pageName(command).toUpperCase(Locale.ROOT), SECTION, "", "Rockpool", "Rockpool");
    page.section("NAME");
    page.text(pageName(command) + " - " + summary(description.get(0)));
    page.section("SYNOPSIS");
    Help help = new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF));
    page.text(help.synopsis(0).replaceAll("\\s+", " ").strip());
    page.section("DESCRIPTION");
    description.stream().filter(each -> !each.isEmpty()).forEach(page::paragraph);
    page.arguments(spec);
    page.verbs(command);
    page.exitCodes();
    page.seeAlso(command);
    return String.join("\n", page.lines) + "\n";
  }

  /** The first sentence without its end, or what comes before its first colon. */
  private static String summary(String description) {
    return description.replaceFirst("(\\. |: |[.:]$).*", "");
  }

  private void arguments(CommandSpec spec) {
    if (!spec.positionalParameters().isEmpty()) {
      section("ARGUMENTS");
      spec.positionalParameters().forEach(each -> argument(each.paramLabel(), each));
    }
    section("OPTIONS");
    for (OptionSpec option : spec.options()) {
      String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
      argument(String.join(", ", option.names()) + label, option);
    }
  }

  private void argument(String name, ArgSpec argument) {
    macro("TP");
    text(name);
    text(String.join(" ", argument.description()).formatted());
  }

  private void verbs(CommandLine command) {
    if (!command.getSubcommands().isEmpty()) {
      section("COMMANDS");
      command
          .getSubcommands()
          .forEach(
              (name, verb) -> {
                macro("TP");
                text(name);
                text(summary(verb.getCommandSpec().usageMessage().description()[0]) + ".");
              });
    }
  }

  private void exitCodes() {
    section("EXIT STATUS");
    Map<String, String> codes =
        new CommandLine(new RockpoolCommand()).getCommandSpec().usageMessage().exitCodeList();
    codes.forEach(
        (code, meaning) -> {
          macro("TP");
          text(code.strip());
          text(meaning + ".");
        });
  }

  private void seeAlso(CommandLine command) {
    section("SEE ALSO");
    CommandLine parent = command.getParent();
    text(
        parent == null
            ? String.join(
                ", ",
                command.getSubcommands().values().stream()
                    .map(verb -> pageName(verb) + "(" + SECTION + ")")
                    .toList())
            : pageName(parent) + "(" + SECTION + ")");
  }

  private void section(String title) {
    macro("SH", title);
  }

  private void paragraph(String text) {
    macro("PP");
    text(text);
  }

  private void macro(String name, String... arguments) {
    StringBuilder line = new StringBuilder("." + name);
    for (String argument : arguments) {
      line.append(" \"").append(escaped(argument)).append('"');
    }
    lines.add(line.toString());
  }

  private void text(String text) {
    lines.add(escaped(text));
  }

  /** Text in which neither a backslash nor the beginning of a line has a meaning. */
  private static String escaped(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
