package io.rockpool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/** Writes to a {@link PrintWriter}, and fails where that would go on without writing. */
final class CheckedWriter extends Writer {
  private final PrintWriter target;

  CheckedWriter(PrintWriter target) {
    this.target = target;
  }

  @Override
  public void write(char[] text, int from, int length) throws IOException {
    target.write(text, from, length);
    check(target);
  }

  @Override
  public void flush() throws IOException {
    check(target);
  }

  /** Flushes. The target stays open. */
  @Override
  public void close() throws IOException {
    check(target);
  }

  /**
   * Flushes what was printed.
   *
   * @throws IOException if it could not be written: the disk is full, or nothing reads the output
   */
  static void check(PrintWriter target) throws IOException {
    if (target.checkError()) {
      throw new IOException(
          "The output could not be written: its disk is full, or nothing reads it any more.");
    }
  }
}
