package io.rockpool.cli;

import io.rockpool.error.RockpoolException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

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

  private RockpoolCommand() {}

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
    CommandLine command =
        new CommandLine(new RockpoolCommand())
            .setOut(out)
            .setErr(err)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler((e, all) -> wrongArguments(e, err))
            .setExecutionExceptionHandler(
                (e, line, parsed) -> {
                  if (e instanceof RockpoolException
                      || e instanceof IllegalStateException
                      || e instanceof IllegalArgumentException
                      || e instanceof UnsupportedOperationException
                      || e instanceof java.io.IOException
                      || e instanceof java.io.UncheckedIOException) {
                    err.println("rockpool: " + e.getMessage());
                    return REFUSED;
                  }
                  throw e;
                });
    int code = command.execute(arguments);
    out.flush();
    err.flush();
    return code;
  }

  /** The message alone: all of the help would hide it. */
  private static int wrongArguments(CommandLine.ParameterException e, PrintWriter err) {
    err.println("rockpool: " + e.getMessage());
    if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, err)) {
      err.println(
          "Try "
              + e.getCommandLine().getCommandSpec().qualifiedName()
              + " --help for its options.");
    }
    return USAGE;
  }
}
