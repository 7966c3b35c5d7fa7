package io.rockpool.quarkus.internal;

import io.rockpool.Rockpool;
import io.rockpool.error.ReadOnlyStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.access.Internals;
import io.rockpool.store.ServerState;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** The health of the store: up if writes succeed. */
@Readiness
@ApplicationScoped
public class StoreHealth implements HealthCheck {
  private final Rockpool pool;

  StoreHealth(Rockpool pool) {
    this.pool = pool;
  }

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder answer =
        HealthCheckResponse.named("rockpool").withData("store", pool.toString());
    try {
      return answer.status(isUp(answer)).build();
    } catch (RockpoolException | StoreClosedException e) {
      return answer.withData("error", String.valueOf(e.getMessage())).down().build();
    }
  }

  /** Whether a write that changes nothing succeeds. */
  private boolean isUp(HealthCheckResponseBuilder answer) {
    answer.withData("diskBytes", pool.state().diskBytes());
    Map<String, String> failing = pool.state().upkeep().failing();
    if (!failing.isEmpty()) {
      answer.withData("failing", failing.toString());
    }
    if (!pool.state().server().map(ServerState::connected).orElse(true)) {
      answer.withData("connected", false);
      return false;
    }
    try {
      Internals.store(pool).probeWrite();
    } catch (ReadOnlyStoreException e) {
      answer.withData("readOnly", true); // a copy to read, which is as it should be
    }
    return true;
  }
}
