package io.rockpool.quarkus.internal.deployment;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What is decided when the application is built. */
@ConfigMapping(prefix = "quarkus.rockpool")
@ConfigRoot(phase = ConfigPhase.BUILD_TIME)
public interface BuildConfig {
  /** The health check. */
  Health health();

  /** The health check. */
  interface Health {
    /** Whether the store is part of the application's readiness, if it has SmallRye Health. */
    @WithDefault("true")
    boolean enabled();
  }
}
