package io.rockpool.cli;

import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A verb that changes the store, only with {@code --write}. */
abstract class ChangingVerb extends StoreVerb {
  @Option(names = "--write", description = "Allow the change; without it nothing is done.")
  boolean write;

  @Override
  public final Integer call() throws Exception {
    if (!write) {
      throw new ParameterException(
          spec.commandLine(), "This changes the store, so it needs --write; nothing was done.");
    }
    return change();
  }

  abstract int change() throws Exception;
}
