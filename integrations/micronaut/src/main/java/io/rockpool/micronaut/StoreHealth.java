package io.rockpool.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.endpoint.health.HealthEndpoint;
import io.micronaut.management.health.indicator.AbstractHealthIndicator;
import io.rockpool.Rockpool;
import io.rockpool.error.ReadOnlyStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.access.Internals;
import io.rockpool.store.ServerState;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;

/** The health of the store: up if writes succeed. */
@Singleton
@Requires(classes = HealthEndpoint.class)
@Requires(property = "rockpool.health.enabled", notEquals = "false")
final class StoreHealth extends AbstractHealthIndicator<Map<String, Object>> {
  private final Rockpool pool;

  StoreHealth(Rockpool pool) {
    this.pool = pool;
  }

  @Override
  protected String getName() {
    return "rockpool";
  }

  @Override
  protected Map<String, Object> getHealthInformation() {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("store", pool.toString());
    details.put("diskBytes", pool.state().diskBytes());
    Map<String, String> failing = pool.state().upkeep().failing();
    if (!failing.isEmpty()) {
      details.put("failing", failing);
    }
    healthStatus = status(details);
    return details;
  }

  /** Up if a write that changes nothing succeeds. */
  private HealthStatus status(Map<String, Object> details) {
    if (!pool.state().server().map(ServerState::connected).orElse(true)) {
      details.put("connected", false);
      return HealthStatus.DOWN;
    }
    try {
      Internals.store(pool).probeWrite();
    } catch (ReadOnlyStoreException e) {
      details.put("readOnly", true); // a copy to read, which is as it should be
    } catch (RockpoolException e) {
      details.put("error", String.valueOf(e.getMessage()));
      return HealthStatus.DOWN;
    }
    return HealthStatus.UP;
  }
}
