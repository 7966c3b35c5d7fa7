package io.rockpool.cli;

import io.rockpool.StoreSalvage;
import io.rockpool.internal.rocksdb.files.FileModes;
import io.rockpool.store.SalvageReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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

  @Option(
      names = "--new-data-keys",
      paramLabel = "FILE",
      description =
          "Needed with --data-keys: the file of the new store's keys, which it makes of that one.")
  @Nullable Path newDataKeys;

  @Override
  public Integer call() throws IOException {
    SalvageReport report = salvage();
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

  /** Salvages with a copy of the file of keys, which gets those of the new names. */
  private SalvageReport salvage() throws IOException {
    Path old = keys.dataKeys;
    Path copy = newDataKeys;
    if ((old == null) != (copy == null)) {
      throw new ParameterException(
          spec.commandLine(),
          "The new store has a file of keys of its own: give --new-data-keys with --data-keys, and"
              + " only then.");
    }
    Path directory = directory();
    if (old == null || copy == null) {
      return StoreSalvage.copy(directory, target, keys::addTo);
    }
    byte[] content = Files.readAllBytes(old);
    Files.createFile(copy, FileModes.file(copy));
    try {
      Files.write(copy, content);
      keys.dataKeys = copy;
      return StoreSalvage.copy(directory, target, keys::addTo);
    } catch (Throwable e) {
      Files.deleteIfExists(copy);
      Files.deleteIfExists(copy.resolveSibling(copy.getFileName() + ".lock"));
      throw e;
    }
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
