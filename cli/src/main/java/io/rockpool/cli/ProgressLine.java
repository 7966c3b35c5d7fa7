package io.rockpool.cli;

import java.io.PrintWriter;

/** How far long work is, on one line of a terminal that is written again and again. */
final class ProgressLine {
  private static final int PERCENT = 100;
  private static final int BAR = 30;

  private final PrintWriter target;
  private final boolean isBar;

  ProgressLine(PrintWriter target) {
    this.target = target;
    this.isBar = System.console() != null;
  }

  /** Shows how many bytes are done. */
  void show(long done, long all) {
    long percent = all == 0 ? PERCENT : PERCENT * done / all;
    int filled = (int) (BAR * percent / PERCENT);
    String bar = isBar ? "[" + "#".repeat(filled) + " ".repeat(BAR - filled) + "] " : "";
    target.printf("\r%s%3d %%  %s of %s", bar, percent, Sizes.text(done), Sizes.text(all));
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
}
