package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.logging.LoggerNames;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of limits of a cache that its engine does not enforce, because its data is on servers. */
final class IneffectiveLimits {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);

  private IneffectiveLimits() {}

  /**
   * Logs the limits without effect. They are not refused: an application may move to a server by
   * configuration alone.
   */
  static void warn(Engine engine, String name, CacheOptions<?, ?> options) {
    List<String> limits = new ArrayList<>();
    add(limits, "maximumSize", options.maximumSize());
    add(limits, "diskBudgetBytes", options.diskBudgetBytes());
    if (!limits.isEmpty() && EngineUpkeep.of(engine).serverState().isPresent()) {
      LOG.warn(
          "The cache \"{}\" has a limit that its server does not enforce: {}. Limit the memory of"
              + " the server, and give the entries a TTL.",
          name,
          String.join(", ", limits));
    }
  }

  private static void add(List<String> limits, String name, OptionalLong limit) {
    long value = limit.orElse(0);
    if (value > 0 && value < Long.MAX_VALUE) {
      limits.add(name);
    }
  }
}
