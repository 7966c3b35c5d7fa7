package io.rockpool.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Reports a wrong value of a property of Rockpool. Boot's own analyzers report one that is refused
 * during the binding as a failure of the binding, and show passwords.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class InvalidPropertyAnalyzer
    extends AbstractFailureAnalyzer<InvalidConfigurationPropertyValueException> {
  private final Environment environment;

  InvalidPropertyAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable rootFailure, InvalidConfigurationPropertyValueException cause) {
    String name = cause.getName();
    if (!name.startsWith(RockpoolProperties.PREFIX + ".")) {
      return null;
    }
    ConfigurationProperty written = find(name);
    // A text is as it was written, but without passwords. A duration is not.
    Object value =
        written == null || cause.getValue() instanceof String
            ? cause.getValue()
            : written.getValue();
    String origin =
        written == null || written.getOrigin() == null
            ? ""
            : " (originating from '" + written.getOrigin() + "')";
    return new FailureAnalysis(
        "Invalid value '%s' for configuration property '%s'%s:%n%n%s"
            .formatted(value, name, origin, cause.getReason()),
        "Correct the property " + name + ".",
        cause);
  }

  private @Nullable ConfigurationProperty find(String name) {
    if (!ConfigurationPropertyName.isValid(name)) { // the pattern of a cache's name
      return null;
    }
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty found =
          source.getConfigurationProperty(ConfigurationPropertyName.of(name));
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
