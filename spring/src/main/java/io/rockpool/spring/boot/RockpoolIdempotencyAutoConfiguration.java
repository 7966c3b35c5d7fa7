package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import io.rockpool.spring.http.IdempotencyFilter;
import io.rockpool.spring.http.IdempotencyRules;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Auto-configuration of an {@link IdempotencyFilter} in a servlet application, for the paths of
 * {@code rockpool.idempotency.paths}. As a filter without an order it comes after Spring Security.
 * With {@code rockpool.postgresql.join-transactions} it handles requests in the transaction manager
 * of the application.
 */
@AutoConfiguration(after = RockpoolAutoConfiguration.class)
@ConditionalOnClass({Filter.class, OncePerRequestFilter.class, TransactionManager.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@Conditional(OnIdempotentPaths.class)
public final class RockpoolIdempotencyAutoConfiguration {
  /** The bean of {@code rockpool-postgresql} that makes the store join all managers. */
  private static final String JOIN = "rockpoolTransactionJoin";

  @Bean
  @ConditionalOnMissingBean
  IdempotencyFilter rockpoolIdempotencyFilter(
      Rockpool pool,
      RockpoolProperties properties,
      BeanFactory beans,
      ObjectProvider<PlatformTransactionManager> managers) {
    RockpoolProperties.Idempotency chosen = properties.idempotency();
    IdempotencyRules rules =
        IdempotencyRules.forPaths(chosen.paths())
            .withMethods(chosen.methods())
            .withTtl(chosen.ttl())
            .withRequired(chosen.required())
            .withMaxBodyBytes(Math.toIntExact(chosen.maxBody().toBytes()));
    if (!beans.containsBean(JOIN)) {
      return new IdempotencyFilter(pool, rules);
    }
    PlatformTransactionManager manager = managers.getIfUnique();
    if (manager == null) {
      throw new InvalidConfigurationPropertyValueException(
          "rockpool.idempotency.paths",
          chosen.paths(),
          "With rockpool.postgresql.join-transactions, a request is handled in a transaction of"
              + " the application, and there is not one manager of them. Mark the one on the store's"
              + " DataSource as @Primary, or declare a bean IdempotencyFilter with it.");
    }
    return new IdempotencyFilter(pool, rules, manager);
  }
}
