package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of {@link RockpoolHealthIndicator}; a check does not open the store. */
@AutoConfiguration(
    after = RockpoolAutoConfiguration.class,
    before = HealthContributorAutoConfiguration.class)
@ConditionalOnClass({Health.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Rockpool.class)
@ConditionalOnEnabledHealthIndicator("rockpool")
public final class RockpoolHealthAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean(name = {"rockpoolHealthIndicator", "rockpoolHealthContributor"})
  RockpoolHealthIndicator rockpoolHealthContributor(ConfigurableListableBeanFactory beans) {
    return new RockpoolHealthIndicator(new OpenStores(beans)::first);
  }
}
