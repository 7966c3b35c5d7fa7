package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import picocli.CommandLine.Parameters;

/** A verb with a name in a store. */
@SuppressWarnings("NullAway.Init") // picocli sets the field
abstract class NameVerb extends StoreVerb {
  @Parameters(index = "1", paramLabel = "NAME", description = "A name in the store; see ls.")
  String name;

  @Override
  public final Integer call() throws Exception {
    try (Rockpool pool = read()) {
      return run(pool, described(pool, name));
    }
  }

  abstract int run(Rockpool pool, Description described) throws Exception;

  static Description described(Rockpool pool, String name) {
    return pool.names()
        .find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The store has no name \"" + name + "\"; ls shows the names that it has."));
  }
}
