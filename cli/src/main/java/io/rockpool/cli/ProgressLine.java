package io.rockpool.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongFunction;

/** How far long work is, on one line of a terminal that is written again and again. */
final class ProgressLine {
  private static final int PERCENT = 100;
  private static final int BAR = 30;

  private final PrintWriter target;
  private final LongFunction<String> text;
  private final boolean isBar;

  /** Progress in bytes. */
  ProgressLine(PrintWriter target) {
    this(target, Sizes::text);
  }

  /** Progress in something else, as {@code text} shows it. */
  ProgressLine(PrintWriter target, LongFunction<String> text) {
    this.target = target;
    this.text = text;
    this.isBar = isTerminal();
  }

  /** Shows how much is done. */
  void show(long done, long all) {
    long percent = all == 0 ? PERCENT : PERCENT * done / all;
    int filled = (int) (BAR * percent / PERCENT);
    String bar = isBar ? "[" + "#".repeat(filled) + " ".repeat(BAR - filled) + "] " : "";
    target.printf(
        Locale.ROOT, "\r%s%3d %%  %s of %s", bar, percent, text.apply(done), text.apply(all));
    target.flush();
  }

  /** All is done. */
  void end(long all) {
    show(all, all);
    abandon();
  }

  /** What comes next begins on a line of its own. */
  void abandon() {
    target.println();
    target.flush();
  }

  /** Whether a person watches. Since Java 22 there is a console also without a terminal. */
  @SuppressWarnings("SystemConsoleNull")
  static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
