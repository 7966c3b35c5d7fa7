package io.rockpool.hibernate;

import java.util.List;
import org.hibernate.boot.registry.selector.SimpleStrategyRegistrationImpl;
import org.hibernate.boot.registry.selector.StrategyRegistration;
import org.hibernate.boot.registry.selector.StrategyRegistrationProvider;
import org.hibernate.cache.spi.RegionFactory;

/** Gives the region factory its short name, {@code rockpool}. Hibernate finds it as a service. */
public final class RockpoolStrategy implements StrategyRegistrationProvider {
  /** Called by the service loader. */
  public RockpoolStrategy() {}

  @Override
  public Iterable<StrategyRegistration<?>> getStrategyRegistrations() {
    return List.of(
        new SimpleStrategyRegistrationImpl<>(
            RegionFactory.class, RockpoolRegionFactory.class, "rockpool"));
  }
}
