package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import io.rockpool.spring.http.IdempotencyFilter;
import io.rockpool.spring.http.IdempotencyRules;
import jakarta.servlet.Filter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.transaction.TransactionManager;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Auto-configuration of an {@link IdempotencyFilter} in a servlet application, for the paths of
 * {@code rockpool.idempotency.paths}. As a filter without an order it comes after Spring Security.
 */
@AutoConfiguration(after = RockpoolAutoConfiguration.class)
@ConditionalOnClass({Filter.class, OncePerRequestFilter.class, TransactionManager.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@Conditional(OnIdempotentPaths.class)
public final class RockpoolIdempotencyAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  IdempotencyFilter rockpoolIdempotencyFilter(Rockpool pool, RockpoolProperties properties) {
    RockpoolProperties.Idempotency chosen = properties.idempotency();
    return new IdempotencyFilter(
        pool,
        IdempotencyRules.forPaths(chosen.paths())
            .withMethods(chosen.methods())
            .withTtl(chosen.ttl())
            .withRequired(chosen.required())
            .withMaxBodyBytes(Math.toIntExact(chosen.maxBody().toBytes())));
  }
}
