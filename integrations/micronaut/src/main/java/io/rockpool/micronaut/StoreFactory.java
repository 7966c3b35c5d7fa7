package io.rockpool.micronaut;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.rockpool.Rockpool;
import jakarta.inject.Singleton;

/** Opens the store when a bean first asks for it, and closes it with the context. */
@Factory
final class StoreFactory {
  @Bean(preDestroy = "close")
  @Singleton
  @Requires(missingBeans = Rockpool.class)
  Rockpool rockpool(StoreProperties properties) {
    return properties.open();
  }
}
