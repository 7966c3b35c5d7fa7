package io.rockpool.cli;

import io.rockpool.error.EncryptionKeyException;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.logging.FileErrors;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command {@code rockpool} and its exit codes. */
@Command(
    name = "rockpool",
    mixinStandardHelpOptions = true,
    versionProvider = RockpoolCommand.Version.class,
    description = {
      "Looks into stores, checks them, makes and restores backups, exports and imports.",
      "",
      "A store that a process has open can be read: what is shown is the store as it was when the"
          + " command started. Nothing is changed without --write."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:done",
      " 1:done, and the answer is no: not found, or not clean",
      " 2:the arguments are wrong",
      " 3:the store or a file refused it; the message says what to do"
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ListNames.class,
      Info.class,
      Get.class,
      Scan.class,
      Count.class,
      Stat.class,
      Top.class,
      Ui.class,
      Verify.class,
      Reclaim.class,
      Compact.class,
      Drop.class,
      Rekey.class,
      BackUp.class,
      Backups.class,
      VerifyBackup.class,
      Restore.class,
      Salvage.class,
      Export.class,
      Import.class,
      AutoComplete.GenerateCompletion.class,
      CommandLine.HelpCommand.class
    })
public final class RockpoolCommand {
  static final int DONE = 0;
  static final int NO = 1;
  static final int USAGE = 2;
  static final int REFUSED = 3;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of an error, too.")
  boolean debug;

  RockpoolCommand() {}

  /** The version of the library. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = RockpoolCommand.class.getPackage().getImplementationVersion();
      return new String[] {"rockpool " + (version == null ? "(development)" : version)};
    }
  }

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(
        run(
            new PrintWriter(System.out, false, StandardCharsets.UTF_8),
            new PrintWriter(System.err, false, StandardCharsets.UTF_8),
            arguments));
  }

  static int run(PrintWriter out, PrintWriter err, String... arguments) {
    RockpoolCommand root = new RockpoolCommand();
    CommandLine command =
        new CommandLine(root)
            .setOut(out)
            .setErr(err)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .registerConverter(Path.class, RockpoolCommand::path)
            .setParameterExceptionHandler((e, all) -> wrongArguments(e, err))
            .setExecutionExceptionHandler((e, line, parsed) -> root.refused(e, err));
    int code;
    if (arguments.length == 0) {
      command.usage(err);
      code = USAGE;
    } else {
      code = root.execute(command, err, arguments);
    }
    try {
      CheckedWriter.check(out);
    } catch (IOException e) {
      if (code != REFUSED) {
        err.println("rockpool: " + e.getMessage());
      }
      code = REFUSED;
    }
    err.flush();
    return code;
  }

  /** A path; the message for what is none names no class. */
  static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new CommandLine.TypeConversionException(
          "\"" + text + "\" is no path: " + e.getReason() + ".");
    }
  }

  /** A value may be larger than the heap. Once nothing refers to it, there is room again. */
  private int execute(CommandLine command, PrintWriter err, String... arguments) {
    try {
      return command.execute(arguments);
    } catch (OutOfMemoryError e) {
      err.println("rockpool: " + text(e));
      return REFUSED;
    } catch (StackOverflowError | LinkageError e) { // of values, or classes that do not fit
      return refused(e, err);
    }
  }

  /** Says in one line why the command failed. */
  private int refused(Throwable e, PrintWriter err) {
    String text =
        isExpected(e) || debug
            ? text(e)
            : text(e) + " Run it again with --debug for the stack trace.";
    err.println("rockpool: " + Output.escaped(text + UnfinishedImport.textOf(e)));
    if (debug) {
      e.printStackTrace(err);
    }
    return REFUSED;
  }

  /** Why something failed. */
  static String text(Throwable e) {
    if (e instanceof OutOfMemoryError) {
      long megabytes = Runtime.getRuntime().maxMemory() >> 20;
      return "A heap of %s MB is too small for what the store holds. Run the command with a"
              .formatted(megabytes)
          + " larger -Xmx: set JDK_JAVA_OPTIONS=-Xmx%sm.".formatted(4 * megabytes);
    }
    return isExpected(e) ? StoreVerb.withoutCopy(message(e)) : "It failed unexpectedly: " + e + ".";
  }

  private static boolean isExpected(Throwable e) {
    return e instanceof RockpoolException
        || e instanceof IllegalStateException
        || e instanceof IllegalArgumentException
        || e instanceof UnsupportedOperationException
        || e instanceof IOException
        || e instanceof UncheckedIOException;
  }

  /** What an exception says. Those of files may have nothing but a path. */
  private static String message(Throwable e) {
    if (e instanceof NoSuchFileException missing) {
      return "There is no file " + missing.getFile() + ".";
    }
    if (e instanceof EncryptionKeyException missing && missing.keyId().isPresent()) {
      return "The store is encrypted with the master key \""
          + missing.keyId().get()
          + (e.getCause() == null ? "\", which was not given." : "\", and that given is another.")
          + " Give a file that has it with --key-file.";
    }
    if (e instanceof CharacterCodingException) {
      return "The file is not text in UTF-8.";
    }
    if (e instanceof IOException refused) {
      return FileErrors.text(refused);
    }
    return String.valueOf(e.getMessage());
  }

  /** The message alone: all of the help would hide it. */
  private static int wrongArguments(CommandLine.ParameterException e, PrintWriter err) {
    err.println("rockpool: " + Output.escaped(String.valueOf(e.getMessage())));
    if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, err)) {
      err.println(
          "Try "
              + e.getCommandLine().getCommandSpec().qualifiedName()
              + " --help for its options.");
    }
    return USAGE;
  }
}
