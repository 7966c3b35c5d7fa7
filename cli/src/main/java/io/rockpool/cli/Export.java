package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code export}: writes a name as JSON Lines. */
@Command(
    name = "export",
    description = {
      "Writes a name as JSON Lines: a header, a line for each record, and a last line with their"
          + " number.",
      "Records are written as they are stored, in base64, so that import makes the same name of"
          + " them without the application's classes. With --values each element is written as scan"
          + " shows it, to be read by other programs. Import reads that, too, with the application's"
          + " classes; elements that JSON does not keep as they are have \"exact\":false."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class Export extends NameVerb {
  @Parameters(index = "2", paramLabel = "FILE", description = "The file, or - for the output.")
  String file;

  @Option(names = "--values", description = "Write decoded elements instead of records.")
  boolean values;

  @Override
  int run(Rockpool pool, Description described) throws IOException {
    if (file.equals("-")) {
      write(pool, described, out());
      out().flush();
      return RockpoolCommand.DONE;
    }
    Path target = Path.of(file);
    try (BufferedWriter writer = Files.newBufferedWriter(target)) {
      long records = write(pool, described, writer);
      output().print(Output.row("exported", records));
      return RockpoolCommand.DONE;
    }
  }

  private long write(Rockpool pool, Description described, Writer writer) throws IOException {
    if (!values) {
      return RecordLines.write(pool, described.name(), writer);
    }
    Decoder decoder = Decoder.of(pool, described, classes());
    PrintWriter lines = writer instanceof PrintWriter already ? already : new PrintWriter(writer);
    lines.print(Output.json(ElementLines.header(described)) + "\n");
    long[] counts = new long[2];
    Elements.of(pool, described)
        .visit(
            element -> {
              Map<String, Object> shown = decoder.show(element, false);
              if (!decoder.isExact(element)) {
                shown.put(ElementLines.EXACT, false);
                counts[1]++;
              }
              lines.print(Output.json(shown) + "\n");
              counts[0]++;
              return true;
            });
    lines.print(Output.json(Map.of(ElementLines.RECORDS, counts[0])) + "\n");
    lines.flush();
    if (counts[1] > 0) {
      spec.commandLine()
          .getErr()
          .println(
              "rockpool: "
                  + counts[1]
                  + " elements cannot be imported from this file, because JSON does not keep them as"
                  + " they are. Give the application's classes with --classpath, or export records.");
    }
    if (lines.checkError()) {
      throw new IOException("The elements could not be written.");
    }
    return counts[0];
  }
}
