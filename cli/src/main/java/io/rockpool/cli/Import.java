package io.rockpool.cli;

import io.rockpool.Rockpool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code import}: makes a name of an export. */
@Command(
    name = "import",
    description = {
      "Makes a name of what export wrote. The name must not exist.",
      "If it is interrupted, run it again with --resume: it goes on where it ended."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class Import extends ChangingVerb {
  @Parameters(index = "1", paramLabel = "FILE", description = "The file, or - for the input.")
  String file;

  @Option(names = "--as", paramLabel = "NAME", description = "Another name for it.")
  @Nullable String as;

  @Option(names = "--resume", description = "Complete an import of the same file.")
  boolean resume;

  @Override
  int change() throws IOException {
    try (Rockpool pool = at().open();
        BufferedReader reader =
            file.equals("-")
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                : Files.newBufferedReader(Path.of(file))) {
      output().print(Output.row("imported", RecordLines.read(pool, reader, as, resume)));
      return RockpoolCommand.DONE;
    }
  }
}
