package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.encryption.EncryptedEngine;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
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
          + " shows it, to be read by other programs. Import reads that, too, with the"
          + " application's classes; elements that JSON does not keep as they are have"
          + " \"exact\":false."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class Export extends NameVerb {
  @Parameters(index = "2", paramLabel = "FILE", description = "The file, or - for the output.")
  String file;

  @Option(names = "--values", description = "Write decoded elements instead of records.")
  boolean values;

  @Override
  int run(Rockpool pool, Description described) throws IOException {
    if (Internals.store(pool).engine() instanceof EncryptedEngine encrypted
        && encrypted.isEncrypted(described.name())) {
      warn("\"" + described.name() + "\" is encrypted in the store, and the export is plaintext.");
    }
    if (file.equals("-")) {
      try (Writer writer = new BufferedWriter(new CheckedWriter(out()))) {
        write(pool, described, writer);
      }
      return RockpoolCommand.DONE;
    }
    long records;
    try {
      records = writeFile(pool, described, Path.of(file));
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "The export could not be written to " + file + ": " + e.getMessage() + ".", e);
    }
    output().print(Output.row("exported", records));
    return RockpoolCommand.DONE;
  }

  /**
   * Replaces the file by the whole export, or leaves it as it is. What is no regular file, such as
   * a pipe, is written itself.
   */
  private long writeFile(Rockpool pool, Description described, Path target) throws IOException {
    boolean isThere = Files.exists(target);
    if (isThere && !Files.isRegularFile(target)) {
      try (Writer writer = new BufferedWriter(open(target, StandardOpenOption.CREATE))) {
        return write(pool, described, writer);
      }
    }
    Path replaced = isThere ? target.toRealPath() : target; // a link stays
    if (isThere && !Files.isWritable(replaced)) {
      throw new AccessDeniedException(target.toString());
    }
    Path parent = replaced.toAbsolutePath().getParent();
    if (parent != null && !Files.exists(parent)) {
      throw new NoSuchFileException(parent.toString());
    }
    Path beside = replaced.resolveSibling(replaced.getFileName() + ".new-" + UUID.randomUUID());
    boolean moved = false;
    try {
      long records;
      try (Writer writer = new BufferedWriter(open(beside, StandardOpenOption.CREATE_NEW))) {
        records = write(pool, described, writer);
      }
      try (FileChannel written = FileChannel.open(beside, StandardOpenOption.WRITE)) {
        written.force(true);
      }
      if (isThere && isPosix(replaced)) {
        Files.setPosixFilePermissions(beside, Files.getPosixFilePermissions(replaced));
      }
      Files.move(beside, replaced, StandardCopyOption.ATOMIC_MOVE);
      moved = true;
      return records;
    } finally {
      if (!moved) {
        Files.deleteIfExists(beside);
      }
    }
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Opens a file, which only its owner can read if it is new. */
  private static Writer open(Path target, OpenOption create) throws IOException {
    FileAttribute<?>[] mode =
        isPosix(target)
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    Set<OpenOption> options = Set.of(create, StandardOpenOption.WRITE);
    return Channels.newWriter(Files.newByteChannel(target, options, mode), StandardCharsets.UTF_8);
  }

  private long write(Rockpool pool, Description described, Writer writer) throws IOException {
    if (!values) {
      return RecordLines.write(pool, described.name(), writer);
    }
    Decoder decoder = Decoder.of(pool, described, classes());
    writeLine(writer, ElementLines.header(described));
    long[] counts = new long[2];
    try {
      Elements.of(pool, described)
          .visit(
              element -> {
                Map<String, Object> shown = decoder.show(element, false);
                if (!decoder.isExact(element)) {
                  shown.put(ElementLines.EXACT, false);
                  counts[1]++;
                }
                counts[0]++;
                try {
                  writeLine(writer, shown);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
                return true;
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    writeLine(writer, Map.of(ElementLines.RECORDS, counts[0]));
    if (counts[1] > 0) {
      warn(
          counts[1]
              + " elements cannot be imported from this file, because JSON does not keep them as"
              + " they are. Give the application's classes with --classpath, or export records.");
    }
    return counts[0];
  }

  private static void writeLine(Writer writer, Map<String, Object> line) throws IOException {
    writer.write(Output.escaped(Output.json(line))); // half a character has no bytes in UTF-8
    writer.write('\n');
  }
}
