package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.codec.Codecs;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProvider;
import io.rockpool.engine.EngineFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of a store. It is opened when something first asks for it, and closed when all
 * other beans have been destroyed.
 */
@AutoConfiguration
@EnableConfigurationProperties(RockpoolProperties.class)
public final class RockpoolAutoConfiguration {
  private static final String CLOSED_LAST = "rockpoolClosedLast";

  @Bean(CLOSED_LAST)
  static ClosedLast rockpoolClosedLast() {
    return new ClosedLast();
  }

  @Bean
  static ConfigurationPropertiesBindHandlerAdvisor rockpoolForeignVariables() {
    return ForeignVariables::new;
  }

  @Bean(destroyMethod = "")
  @Lazy
  @ConditionalOnMissingBean
  Rockpool rockpool(
      RockpoolProperties properties,
      ObjectProvider<Codecs> codecs,
      ObjectProvider<EngineFactory> engines,
      ObjectProvider<Encryption> encryptions,
      ObjectProvider<KeyProvider> keys,
      ObjectProvider<RockpoolBuilderCustomizer> customizers,
      Environment environment,
      ClosedLast closedLast,
      ConfigurableListableBeanFactory beans) {
    // The store is closed last of all beans, but before what its engine needs.
    for (String factory : beans.getBeanNamesForType(EngineFactory.class, true, false)) {
      beans.registerDependentBean(factory, CLOSED_LAST);
    }
    RockpoolBuilder builder =
        StorePlace.of(properties, engines.getIfUnique(), environment)
            .lockWait(properties.lockWait());
    if (properties.whenLocked() != null) {
      builder.whenLocked(properties.whenLocked());
    }
    if (properties.memory() != null) {
      builder.memoryBytes(properties.memory().toBytes());
    }
    if (properties.heapBudget() != null) {
      builder.heapBudgetBytes(properties.heapBudget().toBytes());
    }
    if (properties.durability() != null) {
      builder.durability(properties.durability());
    }
    if (properties.diskBudget() != null) {
      builder.diskBudgetBytes(properties.diskBudget().toBytes());
    }
    if (properties.freeSpaceFloor() != null) {
      builder.freeSpaceFloorBytes(properties.freeSpaceFloor().toBytes());
    }
    if (properties.onCorruption() != null) {
      builder.onCorruption(properties.onCorruption());
    }
    Encryption encryption =
        StoreEncryption.of(properties.encryption(), encryptions.getIfUnique(), keys.getIfUnique());
    if (encryption != null) {
      builder.encryption(encryption);
    }
    codecs.ifUnique(builder::codecs);
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    try {
      return closedLast.add(builder.open());
    } catch (IllegalArgumentException e) {
      throw StorePlace.refused(e, properties, environment);
    }
  }
}
