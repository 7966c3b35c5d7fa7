package io.rockpool.cli;

import io.rockpool.Rockpool;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code verify}: checks all of a store. */
@Command(
    name = "verify",
    description =
        "Checks the files of a store and the format of each record. Exit code 1 if"
            + " something is wrong.")
final class Verify extends StoreVerb {
  @Option(
      names = "--deep",
      description =
          "Also check what a record says of others: counts and indexes are always checked,"
              + " decoding needs the application's classes.")
  boolean deep;

  @Override
  public Integer call() {
    try (Rockpool pool = read()) {
      VerifyReport report = pool.verify(VerifyOptions.defaults().decodeValues(deep));
      print(output(), report);
      return report.isClean() ? RockpoolCommand.DONE : RockpoolCommand.NO;
    }
  }

  static void print(Output output, VerifyReport report) {
    List<String> findings =
        report.findings().stream().map(finding -> withoutCopy(finding.toString())).toList();
    output.print(
        Output.row(
            "clean", report.isClean(),
            "names", report.spaces(),
            "records", report.records(),
            "files", report.files()),
        "findings",
        findings);
  }
}
