package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import io.rockpool.cache.BatchWriter;
import io.rockpool.codec.Codecs;
import io.rockpool.spring.RockpoolCacheConfiguration;
import io.rockpool.spring.RockpoolCacheManager;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheManagerCustomizer;
import org.springframework.boot.cache.autoconfigure.CacheManagerCustomizers;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.interceptor.CacheAspectSupport;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration of a cache manager, if caching is enabled and no other is chosen: there is no
 * bean of type {@code CacheManager} or {@code Cache} and none named {@code cacheResolver}, and
 * {@code spring.cache.type} is unset or {@code rockpool}.
 */
@AutoConfiguration(after = RockpoolAutoConfiguration.class, before = CacheAutoConfiguration.class)
@ConditionalOnClass(CacheAutoConfiguration.class)
@ConditionalOnBean(CacheAspectSupport.class)
@ConditionalOnMissingBean(
    value = {CacheManager.class, Cache.class},
    name = "cacheResolver")
@Conditional(OnRockpoolCacheType.class)
public final class RockpoolCacheAutoConfiguration {
  @Bean(destroyMethod = "")
  RockpoolCacheManager cacheManager(
      Rockpool pool,
      RockpoolProperties properties,
      ObjectProvider<Codecs> codecs,
      ObjectProvider<CacheManagerCustomizer<?>> customizers,
      ClosedLast closedLast,
      ApplicationContext context) {
    RockpoolCacheManager manager =
        new RockpoolCacheManager(pool, codecs.getIfUnique(() -> codecs(properties, context)));
    manager.setDefaults(properties.defaults().configuration());
    properties
        .caches()
        .keySet()
        .forEach(
            name -> manager.setCacheConfiguration(name, configuration(name, properties, context)));
    List<String> names =
        Binder.get(context.getEnvironment())
            .bind("spring.cache.cache-names", Bindable.listOf(String.class))
            .orElse(List.of());
    if (!names.isEmpty()) {
      manager.setCacheNames(names);
    }
    // Boot's own bean of this class is not there once there is a cache manager.
    return closedLast.add(
        new CacheManagerCustomizers(customizers.orderedStream().toList()).customize(manager));
  }

  private static RockpoolCacheConfiguration configuration(
      String name, RockpoolProperties properties, ListableBeanFactory beans) {
    RockpoolProperties.Caching caching = Objects.requireNonNull(properties.caches().get(name));
    RockpoolProperties.WriteBehind behind = caching.writeBehind();
    RockpoolCacheConfiguration configuration = caching.configuration();
    return behind == null || behind.writer() == null
        ? configuration
        : configuration.writeBehind(
            writer(name, behind.writer(), beans), properties.writeBehind(behind));
  }

  @SuppressWarnings("unchecked") // the property's claim
  private static BatchWriter<Object, Object> writer(
      String cache, String bean, ListableBeanFactory beans) {
    List<String> writers = List.of(beans.getBeanNamesForType(BatchWriter.class));
    if (!writers.contains(bean)) {
      throw new InvalidConfigurationPropertyValueException(
          RockpoolProperties.PREFIX + ".caches." + cache + ".write-behind.writer",
          bean,
          "Name a bean of type BatchWriter. The application has " + writers + ".");
    }
    return beans.getBean(bean, BatchWriter.class);
  }

  /** Allows the packages of the application, as for its entities, and what the property names. */
  private static Codecs codecs(RockpoolProperties properties, ApplicationContext context) {
    ClassLoader loader = context.getClassLoader();
    Codecs.Builder builder = Codecs.builder();
    if (loader != null) {
      builder.classLoader(loader);
    }
    if (properties.strict()) {
      builder.strict();
    }
    packages(context).forEach(builder::allowPackage);
    for (String name : properties.allow()) {
      if (ClassUtils.isPresent(name, loader)) {
        builder.allow(ClassUtils.resolveClassName(name, loader));
      } else {
        builder.allowPackage(name);
      }
    }
    return builder.build();
  }

  private static List<String> packages(BeanFactory beans) {
    return AutoConfigurationPackages.has(beans) ? AutoConfigurationPackages.get(beans) : List.of();
  }
}
