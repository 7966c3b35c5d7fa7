package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;

/** What a run of the command did. */
record CommandRun(int code, String out, String err) {
  static CommandRun of(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        RockpoolCommand.run(
            new PrintWriter(out),
            new PrintWriter(err),
            Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    return new CommandRun(code, out.toString(), err.toString());
  }

  /** What it prints if all is well, and it says nothing else. */
  static String out(Object... arguments) {
    CommandRun ran = of(arguments);
    assertThat(ran.code).as("%s %s", ran.out, ran.err).isZero();
    assertThat(ran.err).isEmpty();
    return ran.out;
  }

  void assertDone() {
    assertThat(code).as(out + err).isZero();
  }

  void assertRefused(String message) {
    assertThat(code).as(out + err).isEqualTo(RockpoolCommand.REFUSED);
    assertThat(err).startsWith("rockpool: ").contains(message);
    assertThat(err.lines()).hasSize(1);
  }
}
