package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of a store: up if the disk takes what was written. A check forces to the disk what has
 * not been yet. Where a damaged store was set aside for this one, {@code quarantined} says where it
 * is.
 */
public final class RockpoolHealthIndicator extends AbstractHealthIndicator {
  private final Supplier<? extends @Nullable Rockpool> store;

  /**
   * The health of a store that need not be open.
   *
   * @param store returns null as long as nothing has asked for it
   */
  public RockpoolHealthIndicator(Supplier<? extends @Nullable Rockpool> store) {
    super("The Rockpool store does not take writes");
    this.store = Objects.requireNonNull(store, "store");
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    Rockpool pool = store.get();
    if (pool == null) {
      builder.up().withDetail("store", "not opened yet");
      return;
    }
    pool.flush();
    builder.up().withDetail("store", pool.toString()).withDetail("diskBytes", pool.diskBytes());
    pool.quarantined().ifPresent(path -> builder.withDetail("quarantined", path.toString()));
  }
}
