package io.rockpool.cli;

import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupProgress;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.BackupTargets;
import io.rockpool.backup.DirectoryTarget;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A verb with a directory of backups. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
abstract class TargetVerb implements Callable<Integer> {
  /** What {@code TARGET} is. */
  static final String TARGET =
      "The directory of the backups, or s3://bucket/prefix if rockpool-s3 is on the class path.";

  /** A URI with a slash left out; a drive of Windows has one letter. */
  private static final Pattern ONE_SLASH = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/(?!/)");

  @Spec CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TARGET", description = TARGET)
  String target;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text (the default), or json: one object a line.")
  Output.Format format;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this and do nothing.")
  boolean help;

  final BackupTarget backups() {
    return backups(target);
  }

  /** The target that an argument names. */
  static BackupTarget backups(String target) {
    if (ONE_SLASH.matcher(target).lookingAt()) {
      throw new IllegalArgumentException(
          "The target "
              + target
              + " is no URI, because it has one slash. Write "
              + target.replaceFirst(":/", "://")
              + ", or ./"
              + target
              + " for a directory.");
    }
    return StoreVerb.isUri(target)
        ? BackupTargets.at(StoreVerb.uri(target))
        : DirectoryTarget.at(Path.of(target));
  }

  final Output output() {
    return new Output(format, spec.commandLine().getOut());
  }

  /** Options that show the progress, if that is asked for. */
  static BackupOptions withProgress(CommandSpec spec, boolean progress) {
    if (!progress && !ProgressLine.isTerminal()) {
      return BackupOptions.defaults();
    }
    ProgressLine line = new ProgressLine(spec.commandLine().getErr());
    return BackupOptions.defaults().onProgress(step -> show(line, step));
  }

  private static void show(ProgressLine line, BackupProgress step) {
    if (step.files() == step.allFiles()) {
      line.end(step.allBytes());
    } else {
      line.show(step.bytes(), step.allBytes());
    }
  }

  /** Refuses two ways to say what is restored. */
  static void checkOne(long number, Instant at) {
    if (number != 0) {
      throw new IllegalArgumentException(
          "Both --number " + number + " and --at " + at + " were given; leave out one of them.");
    }
  }

  static java.util.Map<String, Object> row(BackupInfo backup) {
    return Output.row(
        "number", backup.number(),
        "created", backup.created().toString(),
        "names", backup.names().size(),
        "files", backup.files(),
        "bytes", backup.bytes(),
        "added bytes", backup.addedBytes());
  }
}
