package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.encryption.EncryptedEngine;
import io.rockpool.internal.rocksdb.files.DirectoryTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code import}: makes a name of an export. */
@Command(
    name = "import",
    description = {
      "Makes a name of what export wrote. The name must not exist.",
      "A file of decoded elements, as export --values writes them, needs the application's"
          + " classes.",
      "If it is interrupted, run it again with --resume: it goes on where it ended.",
      "With --from, copies text from a Redis server, or from a CSV file with a header line, into"
          + " NAME. What is there already is overwritten, so an interrupted copy can be repeated."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class Import extends ChangingVerb {
  @Parameters(
      index = "1",
      paramLabel = "FILE|NAME",
      description = "The file, or - for the input; with --from, the name to copy to.")
  String file;

  @Option(names = "--as", paramLabel = "NAME", description = "Another name for it.")
  @Nullable String as;

  @Option(names = "--resume", description = "Complete an import of the same file.")
  boolean resume;

  @Option(
      names = "--hide-keys",
      description = {
        "Encrypt the keys of what it makes, too. Needs --key-file.",
        "Sorted types, queues and timers are refused, and left out with --from."
      })
  boolean hideKeys;

  @Option(
      names = "--from",
      paramLabel = "SOURCE",
      description = {
        "redis://host:port: strings become a map, each other key a structure below NAME.",
        "csv:FILE: a table with a row for each line."
      })
  @Nullable String from;

  @Option(
      names = "--match",
      paramLabel = "PATTERN",
      defaultValue = "*",
      description = "Only Redis keys that match this pattern.")
  String match;

  @Option(names = "--key", paramLabel = "COLUMN", description = "The column with the rows' keys.")
  @Nullable String key;

  @Override
  int change() throws IOException {
    if (hideKeys && !keys.areGiven()) {
      throw new ParameterException(
          spec.commandLine(), "Keys are encrypted with values; give --key-file with --hide-keys.");
    }
    return from == null ? importFile() : importFrom(from);
  }

  private int importFrom(String source) throws IOException {
    if (source.startsWith("csv:")) {
      if (key == null) {
        throw new ParameterException(spec.commandLine(), "Give the column of the keys with --key.");
      }
      return importCsv(Path.of(source.substring("csv:".length())), key);
    }
    try (RedisSource redis = new RedisSource(uri(source))) {
      RedisImport copy =
          into(
              file,
              pool -> {
                RedisImport begun = new RedisImport(pool, file, redis, spec.commandLine().getErr());
                begun.run(match);
                return begun;
              });
      output().print(Output.row("imported", copy.imported(), "left out", copy.skipped()));
      return copy.skipped() == 0 ? RockpoolCommand.DONE : RockpoolCommand.NO;
    }
  }

  /** Imports into an open store. */
  private interface Copy<T> {
    T to(Rockpool pool) throws IOException;
  }

  /**
   * Opens the store to import; if that fails, a store that it made and that is empty is deleted.
   */
  private <T> T into(String name, Copy<T> copy) throws IOException {
    List<Path> made = madeByOpening();
    boolean isEmpty = false;
    try (Rockpool pool = openToImport(name)) {
      try {
        return copy.to(pool);
      } catch (Throwable e) {
        isEmpty = !made.isEmpty() && pool.names().list("").isEmpty();
        throw e;
      }
    } catch (Throwable e) {
      if (isEmpty) {
        delete(made, e);
      }
      throw e;
    }
  }

  /** The directory of a store that is not there yet, and its file of keys; else empty. */
  private List<Path> madeByOpening() {
    if (isOnServer() || Files.exists(directory(), LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    Path dataKeys = keys.dataKeys;
    return dataKeys == null || Files.exists(dataKeys, LinkOption.NOFOLLOW_LINKS)
        ? List.of(directory())
        : List.of(directory(), dataKeys, dataKeys.resolveSibling(dataKeys.getFileName() + ".lock"));
  }

  private static void delete(List<Path> made, Throwable e) {
    try {
      for (Path each : made) {
        DirectoryTree.delete(each);
      }
    } catch (IOException failure) {
      e.addSuppressed(failure);
    }
  }

  /** Opens the store. With --hide-keys, refuses names that are there with clear keys. */
  private Rockpool openToImport(String name) {
    Rockpool pool = openOrCreate(hideKeys);
    try {
      if (hideKeys && Internals.store(pool).engine() instanceof EncryptedEngine encrypted) {
        pool.names().list(name).forEach(there -> requireHiddenKeys(encrypted, there));
      }
      return pool;
    } catch (Throwable e) {
      pool.close();
      throw e;
    }
  }

  private static void requireHiddenKeys(EncryptedEngine engine, Description there) {
    boolean hasKeys = Scan.hasKeys(there.type()) || QueueMessages.areIn(there.type());
    if (hasKeys && !engine.hidesKeys(there.name())) {
      throw new IllegalStateException(
          "The keys of \""
              + there.name()
              + "\" are in the clear, and stay so. Drop it, or leave out --hide-keys.");
    }
  }

  private String nameIn(Map<String, Object> header) throws IOException {
    Object name = as == null ? header.get("name") : as;
    if (!(name instanceof String text)) {
      throw new IOException("The first line has no name. Give one with --as.");
    }
    Catalog.checkNew(text);
    return text;
  }

  private int importCsv(Path csv, String column) throws IOException {
    refuseDirectory(csv);
    try (BufferedReader reader = Files.newBufferedReader(csv)) {
      CsvLines lines = new CsvLines(reader, column); // before a store is made
      output().print(Output.row("imported", into(file, pool -> copy(lines, pool))));
      return RockpoolCommand.DONE;
    }
  }

  private long copy(CsvLines lines, Rockpool pool) throws IOException {
    boolean isNew = pool.names().find(file).isEmpty();
    try {
      return lines.copyTo(pool.table(file, String.class, String.class, String.class));
    } catch (Throwable e) {
      String left = "was there before, and has the lines before; the copy can be repeated.";
      UnfinishedImport.after(e, pool, file, isNew, left);
      throw e;
    }
  }

  private int importFile() throws IOException {
    if (file.equals("-")) {
      return importLines(
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    }
    refuseDirectory(Path.of(file));
    try (BufferedReader reader = Files.newBufferedReader(Path.of(file))) {
      return importLines(reader);
    }
  }

  private static void refuseDirectory(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a directory; give the file of an export.");
    }
  }

  private int importLines(BufferedReader reader) throws IOException {
    Map<String, Object> header = RecordLines.header(reader.readLine());
    String name = nameIn(header); // before a store is made
    long records =
        into(
            name,
            pool ->
                ElementLines.isHeader(header)
                    ? ElementLines.read(pool, header, reader, as, resume, classes())
                    : RecordLines.read(pool, header, reader, as, resume));
    output().print(Output.row("imported", records));
    return RockpoolCommand.DONE;
  }
}
