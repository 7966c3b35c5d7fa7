package io.rockpool.spring.session.boot;

import io.rockpool.Rockpool;
import io.rockpool.spring.session.RockpoolHttpSessionConfiguration;
import io.rockpool.spring.session.RockpoolIndexedSessionRepository;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.session.autoconfigure.SessionAutoConfiguration;
import org.springframework.boot.session.autoconfigure.SessionTimeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.session.SessionRepository;
import org.springframework.session.config.SessionRepositoryCustomizer;

/**
 * Keeps the HTTP sessions of a servlet application in its store, unless the application has another
 * repository of sessions. The store is the bean of {@code rockpool-spring}, or the application's.
 */
@AutoConfiguration(
    before = SessionAutoConfiguration.class,
    afterName = "io.rockpool.spring.boot.RockpoolAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(Rockpool.class)
@ConditionalOnMissingBean(SessionRepository.class)
@EnableConfigurationProperties(RockpoolSessionProperties.class)
@Import(RockpoolHttpSessionConfiguration.class)
public final class RockpoolSessionAutoConfiguration {
  /** Applies the properties, before the application's own customizers. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  SessionRepositoryCustomizer<RockpoolIndexedSessionRepository> rockpoolSessionProperties(
      RockpoolSessionProperties properties, ObjectProvider<SessionTimeout> timeouts) {
    return repository -> {
      repository.setFlushMode(properties.flushMode());
      repository.setSaveMode(properties.saveMode());
      repository.setCleanupCron(properties.cleanupCron());
      SessionTimeout timeout = timeouts.getIfAvailable();
      Duration interval = timeout == null ? null : timeout.getTimeout();
      if (interval != null) {
        repository.setDefaultMaxInactiveInterval(interval);
      }
    };
  }
}
