package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code get}: one element. */
@Command(
    name = "get",
    description = {
      "Shows the element with a key, given as scan shows it; of a table, the row with it.",
      "Reads the whole name, since the text of a key does not tell its bytes."
    })
final class Get extends NameVerb {
  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "KEY",
      description = "The key; left out for a single value or a counter.")
  @Nullable String key;

  @Override
  int run(Rockpool pool, Description described) {
    Decoder decoder = Decoder.of(pool, described, classes());
    Output output = output();
    AtomicBoolean found = new AtomicBoolean();
    Elements.of(pool, described)
        .visit(
            element -> {
              if (!isMeant(decoder, element)) {
                return true;
              }
              found.set(true);
              if (element.row() != null) {
                output.add(decoder.show(element, false));
                return true;
              }
              output.print(decoder.show(element, false));
              return false;
            });
    output.end();
    if (!found.get()) {
      String what = key == null ? "an element without a key" : "the key \"" + key + "\"";
      warn("\"" + name + "\" does not have " + what + ".");
      return RockpoolCommand.NO;
    }
    return RockpoolCommand.DONE;
  }

  private boolean isMeant(Decoder decoder, Element element) {
    if (key == null || element.key() == null) {
      return key == null && element.key() == null;
    }
    return key.equals(
        element.row() == null ? decoder.keyText(element.key()) : decoder.rowText(element.row()));
  }
}
