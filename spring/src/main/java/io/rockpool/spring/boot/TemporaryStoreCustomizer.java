package io.rockpool.spring.boot;

import java.util.List;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Gives each application context of a test a temporary store of its own, so that test processes,
 * contexts and a running application neither lock each other out nor see each other's entries.
 *
 * <p>Settings of the test itself take precedence: properties of its annotations, dynamic
 * properties, system properties and environment variables. The directory from the application's own
 * files is ignored in a test, unless {@value #PROPERTY} is false.
 */
record TemporaryStoreCustomizer() implements ContextCustomizer {
  /** Set to false, tests use the directory that the application would use. */
  static final String PROPERTY = "rockpool.test.temporary";

  private static final String NAME = "rockpoolTest";

  /** Finds the customizer for every test. */
  static final class Factory implements ContextCustomizerFactory {
    @Override
    public ContextCustomizer createContextCustomizer(
        Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
      return new TemporaryStoreCustomizer();
    }
  }

  @Override
  public void customizeContext(
      ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
    if (!context.getEnvironment().getProperty(PROPERTY, Boolean.class, true)) {
      return;
    }
    MutablePropertySources sources = context.getEnvironment().getPropertySources();
    MapPropertySource ours =
        new MapPropertySource(NAME, Map.of(RockpoolProperties.PREFIX + ".directory", "temporary"));
    String environment = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
    if (sources.contains(environment)) {
      sources.addAfter(environment, ours);
    } else {
      sources.addLast(ours);
    }
  }
}
