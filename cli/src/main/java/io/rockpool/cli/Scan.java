package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code scan}: the elements of a name. */
@Command(
    name = "scan",
    description = {
      "Shows the elements of a name, in the order in which they are stored: sorted maps, sorted"
          + " sets, the rows of tables and deques in their order, all else in none.",
      "Expired elements are left out."
    })
final class Scan extends NameVerb {
  @Option(names = "--prefix", paramLabel = "TEXT", description = "Only keys whose text begins so.")
  @Nullable String prefix;

  @Option(
      names = "--from",
      paramLabel = "TEXT",
      description = "Only keys whose text is not before this.")
  @Nullable String from;

  @Option(names = "--to", paramLabel = "TEXT", description = "Only keys whose text is before this.")
  @Nullable String to;

  @Option(
      names = "--limit",
      paramLabel = "COUNT",
      description = "At most so many; 0 for all.",
      defaultValue = "100")
  long limit;

  @Option(names = "--keys-only", description = "Leave out the values.")
  boolean keysOnly;

  @Override
  int run(Rockpool pool, Description described) {
    if ((prefix != null || from != null || to != null) && !hasKeys(described.type())) {
      throw new IllegalArgumentException(
          "A " + described.type() + " has no keys; leave out --prefix, --from and --to.");
    }
    Decoder decoder = Decoder.of(pool, described, classes());
    Output output = output();
    AtomicLong shown = new AtomicLong();
    Elements.of(pool, described)
        .visit(
            element -> {
              if (limit > 0 && shown.get() >= limit) {
                return false;
              }
              if (matches(decoder, element)) {
                output.add(decoder.show(element, keysOnly));
                shown.incrementAndGet();
              }
              return true;
            });
    output.end();
    return RockpoolCommand.DONE;
  }

  /** Whether elements of a type have keys. */
  static boolean hasKeys(String type) {
    return !QueueMessages.areIn(type) && !Set.of("deque", "value", "counter").contains(type);
  }

  private boolean matches(Decoder decoder, Element element) {
    if ((prefix == null && from == null && to == null) || element.key() == null) {
      return true;
    }
    String text = decoder.keyText(element.key());
    return (prefix == null || text.startsWith(prefix))
        && (from == null || text.compareTo(from) >= 0)
        && (to == null || text.compareTo(to) < 0);
  }
}
