package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of {@link RockpoolHealthIndicator}, one for each store; a check opens no
 * store.
 */
@AutoConfiguration(
    after = RockpoolAutoConfiguration.class,
    before = HealthContributorAutoConfiguration.class)
@ConditionalOnClass({Health.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Rockpool.class)
@ConditionalOnEnabledHealthIndicator("rockpool")
public final class RockpoolHealthAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean(name = {"rockpoolHealthIndicator", "rockpoolHealthContributor"})
  HealthContributor rockpoolHealthContributor(ConfigurableListableBeanFactory beans) {
    OpenStores stores = new OpenStores(beans);
    List<String> names = stores.names();
    return names.size() > 1
        ? CompositeHealthContributor.fromMap(
            names.stream()
                .collect(
                    Collectors.toMap(
                        name -> name,
                        name -> new RockpoolHealthIndicator(() -> stores.store(name)))))
        : new RockpoolHealthIndicator(stores::first);
  }
}
