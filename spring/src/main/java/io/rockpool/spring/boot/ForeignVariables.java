package io.rockpool.spring.boot;

import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Ignores environment variables that only look like a property. For a service {@code
 * rockpool-caches}, Kubernetes sets {@code ROCKPOOL_CACHES_PORT}, which reads as a text for all
 * options of a cache "port".
 */
final class ForeignVariables extends AbstractBindHandler {
  private static final Set<Class<?>> GROUPS =
      Set.of(RockpoolProperties.Caching.class, RockpoolQueueProperties.Queue.class);

  ForeignVariables(BindHandler parent) {
    super(parent);
  }

  /** A URI is a text. For {@code ROCKPOOL_URI_PORT}, Spring Boot would set the port of one. */
  @Override
  public <T> @Nullable Bindable<T> onStart(
      ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
    boolean isUri = URI.class.equals(target.getType().resolve());
    return isUri && source(name, context) == null ? null : super.onStart(name, target, context);
  }

  @Override
  public @Nullable Object onFailure(
      ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
      throws Exception {
    if (GROUPS.contains(target.getType().resolve())) {
      ConfigurationPropertySource source = source(name, context);
      if (source != null
          && source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource) {
        return null;
      }
    }
    return super.onFailure(name, target, context, error);
  }

  /** The source that has a property of this very name, if any. */
  private static @Nullable ConfigurationPropertySource source(
      ConfigurationPropertyName name, BindContext context) {
    for (ConfigurationPropertySource source : context.getSources()) {
      if (source.getConfigurationProperty(name) != null) {
        return source;
      }
    }
    return null;
  }
}
