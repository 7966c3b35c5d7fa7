package io.rockpool.cli;

import io.rockpool.Rockpool;
import io.rockpool.store.SalvageReport;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code salvage}: copies what is readable of a damaged store. */
@Command(
    name = "salvage",
    description = {
      "Copies what is readable of a damaged store into a new one, and shows what is not. The"
          + " damaged store stays as it is; no process may have it open.",
      "Exit code 1 if something is missing. Where it shows that a block is damaged, an older value"
          + " may have been copied, or an element that was removed."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class Salvage extends StoreVerb {
  @Parameters(index = "1", paramLabel = "OUT", description = "The directory of the new store.")
  Path target;

  @Override
  public Integer call() {
    SalvageReport report = Rockpool.salvage(directory(), target, keys::addTo);
    if (format == Output.Format.JSON) {
      output()
          .print(
              Output.row(
                  "complete", report.isComplete(),
                  "names", report.names().stream().map(Salvage::row).toList(),
                  "lost", report.lost().stream().map(Salvage::row).toList(),
                  "lost changes", report.lostChanges(),
                  "notes", report.notes()));
    } else {
      Output output = output();
      report.names().forEach(name -> output.add(row(name)));
      output.end();
      report.toString().lines().forEach(line -> out().println(Output.escaped(line)));
    }
    return report.isComplete() ? RockpoolCommand.DONE : RockpoolCommand.NO;
  }

  private static java.util.Map<String, Object> row(SalvageReport.Name name) {
    return Output.row("name", name.name(), "type", name.type(), "records", name.records());
  }

  private static java.util.Map<String, Object> row(SalvageReport.Lost lost) {
    return Output.row(
        "name", lost.name(),
        "from", lost.from(),
        "to", lost.to(),
        "records", lost.records() < 0 ? null : lost.records(),
        "file", lost.file(),
        "problem", lost.problem());
  }
}
