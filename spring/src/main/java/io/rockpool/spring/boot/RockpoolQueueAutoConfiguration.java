package io.rockpool.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.ObservationRegistry;
import io.rockpool.spring.metrics.RockpoolQueueMetrics;
import io.rockpool.spring.queue.ListenerOptions;
import io.rockpool.spring.queue.QueueObservations;
import io.rockpool.spring.queue.QueueObserver;
import io.rockpool.spring.queue.RockpoolListener;
import io.rockpool.spring.queue.RockpoolListeners;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** Auto-configuration of the listeners of queues, and of the metrics of these queues. */
@AutoConfiguration(after = RockpoolAutoConfiguration.class)
@EnableConfigurationProperties(RockpoolQueueProperties.class)
public final class RockpoolQueueAutoConfiguration {
  @Bean
  @Lazy
  @ConditionalOnMissingBean
  ListenerOptions rockpoolListenerOptions(RockpoolQueueProperties properties) {
    return properties.options();
  }

  /** A child context runs the listeners of its own beans. */
  @Bean
  @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
  static RockpoolListeners rockpoolListeners(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<ListenerOptions> options,
      ObjectProvider<QueueObserver> observers) {
    return new RockpoolListeners(beans, options, observers);
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean
  QueueObservations rockpoolQueueObservations(ObjectProvider<ObservationRegistry> registries) {
    return new QueueObservations(registries.getIfUnique(() -> ObservationRegistry.NOOP));
  }

  /** With {@code spring.main.lazy-initialization}, these beans would never be asked for. */
  @Bean
  static LazyInitializationExcludeFilter rockpoolListenersAreNotLazy() {
    return (name, definition, type) ->
        !MethodIntrospector.selectMethods(
                type,
                (ReflectionUtils.MethodFilter)
                    method -> AnnotatedElementUtils.hasAnnotation(method, RockpoolListener.class))
            .isEmpty();
  }

  /** Of queues with listeners. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  static class Metrics {
    @Bean
    @Lazy
    @ConditionalOnMissingBean(name = "rockpoolQueueMetrics")
    QueueObserver rockpoolQueueMetrics(ObjectProvider<MeterRegistry> registries) {
      return queue ->
          registries
              .orderedStream()
              .forEach(registry -> new RockpoolQueueMetrics(queue, Tags.empty()).bindTo(registry));
    }
  }
}
