package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ls}: the names of a store. */
@Command(name = "ls", description = "Lists the names in a store, what they hold and their size.")
final class ListNames extends StoreVerb {
  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "LEVEL",
      description = "Only names at or below it, such as shop.")
  @Nullable String level;

  @Override
  public Integer call() {
    try (Rockpool pool = read()) {
      Output output = output();
      List<Description> names = new ArrayList<>();
      if (level != null) {
        pool.names().find(level).ifPresent(names::add);
      }
      names.addAll(pool.names().list(level == null ? "" : level));
      if (level != null && names.isEmpty()) {
        warn("There is no name at or below \"" + level + "\".");
        return RockpoolCommand.NO;
      }
      for (Description name : names) {
        output.add(
            Output.row(
                "name", name.name(),
                "type", name.type(),
                "of", types(name),
                "bytes", name.diskBytes().isPresent() ? name.diskBytes().getAsLong() : null,
                "opened", name.lastAccess().toString()));
      }
      output.end();
      return RockpoolCommand.DONE;
    }
  }

  /** The types as in {@code java.lang.String to com.acme.Order}. */
  static String types(Description name) {
    return name.keyType() + name.valueType().map(type -> " to " + type).orElse("");
  }
}
