package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import io.rockpool.spring.RockpoolCacheManager;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of {@link RockpoolEndpoint}, where it is exposed. */
@AutoConfiguration(after = RockpoolCacheAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(Rockpool.class)
@ConditionalOnAvailableEndpoint(RockpoolEndpoint.class)
@EnableConfigurationProperties(RockpoolEndpointProperties.class)
public final class RockpoolEndpointAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  RockpoolEndpoint rockpoolEndpoint(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<SanitizingFunction> sanitizingFunctions,
      RockpoolEndpointProperties properties) {
    return new RockpoolEndpoint(
        beans,
        beans.getBeansOfType(RockpoolCacheManager.class),
        sanitizingFunctions.orderedStream().toList(),
        properties.showValues());
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(RockpoolEndpoint.class)
  @ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
  RockpoolEndpointWebExtension rockpoolEndpointWebExtension(
      RockpoolEndpoint endpoint, RockpoolEndpointProperties properties) {
    return new RockpoolEndpointWebExtension(endpoint, properties.showValues(), properties.roles());
  }
}
