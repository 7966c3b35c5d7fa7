package io.rockpool.quarkus.internal;

import io.quarkus.runtime.annotations.ConfigDocMapKey;
import io.quarkus.runtime.annotations.ConfigDocSection;
import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.quarkus.runtime.configuration.MemorySize;
import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.store.Durability;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The store. */
@ConfigMapping(prefix = "quarkus.rockpool")
@ConfigRoot(phase = ConfigPhase.RUN_TIME)
public interface StoreConfig {
  /**
   * The directory of an embedded store; {@code temporary} for one that is deleted when the
   * application ends.
   */
  @WithDefault("rockpool-data")
  String directory();

  /** The URI of a store on a server, in place of the directory. */
  Optional<URI> uri();

  /** How long to wait for another process that has the store open. */
  @WithDefault("10s")
  Duration lockWait();

  /** Bytes of native memory of an embedded store. */
  Optional<MemorySize> memory();

  /** Bytes that an embedded store may use on disk. */
  Optional<MemorySize> diskBudget();

  /** The durability of writes without their own. */
  Optional<Durability> durability();

  /** The caches, by their names. */
  @ConfigDocSection
  @ConfigDocMapKey("cache-name")
  Map<String, CacheConfig> caches();

  /** Opens the store. */
  default Rockpool open() {
    RockpoolBuilder builder = builder().lockWait(lockWait());
    memory().ifPresent(it -> builder.memoryBytes(it.asLongValue()));
    diskBudget().ifPresent(it -> builder.diskBudgetBytes(it.asLongValue()));
    durability().ifPresent(builder::durability);
    return builder.open();
  }

  private RockpoolBuilder builder() {
    return uri()
        .map(Rockpool::at)
        .orElseGet(
            () ->
                directory().equals("temporary")
                    ? Rockpool.temporary()
                    : Rockpool.at(Path.of(directory())));
  }
}
