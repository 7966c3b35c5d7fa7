package io.rockpool.micronaut;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;
import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.store.Durability;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The store.
 *
 * @param directory the directory of an embedded store; {@code temporary} for one that is deleted
 *     when the application ends
 * @param uri the URI of a store on a server, in place of the directory
 * @param lockWait how long to wait for another process that has the store open
 * @param memory bytes of native memory of an embedded store
 * @param diskBudget bytes that an embedded store may use on disk
 * @param durability of writes without their own
 */
@ConfigurationProperties("rockpool")
record StoreProperties(
    @Bindable(defaultValue = "rockpool-data") String directory,
    @Nullable URI uri,
    @Bindable(defaultValue = "10s") Duration lockWait,
    @ReadableBytes @Nullable Long memory,
    @ReadableBytes @Nullable Long diskBudget,
    @Nullable Durability durability) {
  /** Opens the store. */
  Rockpool open() {
    RockpoolBuilder builder = builder().lockWait(lockWait);
    if (memory != null) {
      builder.memoryBytes(memory);
    }
    if (diskBudget != null) {
      builder.diskBudgetBytes(diskBudget);
    }
    if (durability != null) {
      builder.durability(durability);
    }
    return builder.open();
  }

  private RockpoolBuilder builder() {
    if (uri != null) {
      return Rockpool.at(uri);
    }
    return directory.equals("temporary") ? Rockpool.temporary() : Rockpool.at(Path.of(directory));
  }
}
