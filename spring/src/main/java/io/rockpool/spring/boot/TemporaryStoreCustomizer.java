package io.rockpool.spring.boot;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
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
 * properties, system properties and environment variables. The directory, the engine and the server
 * from the application's own files are ignored in a test, unless {@value #PROPERTY} is false: a
 * test would use, and clear, the application's data.
 */
record TemporaryStoreCustomizer() implements ContextCustomizer {
  /** Set to false, tests use the directory that the application would use. */
  static final String PROPERTY = "rockpool.test.temporary";

  private static final String NAME = "rockpoolTest";
  private static final String DIRECTORY = RockpoolProperties.PREFIX + ".directory";
  private static final String ENGINE = RockpoolProperties.PREFIX + ".engine";
  private static final String URI = RockpoolProperties.PREFIX + ".uri";

  /**
   * The properties of a temporary store. If the test itself names an engine or a server, the
   * application's other properties count. What it says is known only once beans are made.
   */
  private static final class Temporary extends MapPropertySource {
    private final MutablePropertySources all;

    Temporary(MutablePropertySources all) {
      super(NAME, Map.of(DIRECTORY, "temporary", ENGINE, "embedded", URI, ""));
      this.all = all;
    }

    @Override
    public @Nullable Object getProperty(String name) {
      boolean isPlace = name.equals(ENGINE) || name.equals(URI);
      return isPlace && (isOfTest(ENGINE) || isOfTest(URI)) ? null : super.getProperty(name);
    }

    /** Whether a source before this one has a property. */
    private boolean isOfTest(String name) {
      for (PropertySource<?> source : all) {
        if (source.equals(this)) {
          return false;
        }
        // It has the properties of all others.
        if (ConfigurationPropertySources.isAttachedConfigurationPropertySource(source)) {
          continue;
        }
        if (source.getProperty(name) != null || source.getProperty(environmentName(name)) != null) {
          return true;
        }
      }
      return false;
    }

    private static String environmentName(String name) {
      return name.replace('.', '_').toUpperCase(Locale.ROOT);
    }
  }

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
    MapPropertySource ours = new Temporary(sources);
    String environment = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
    if (sources.contains(environment)) {
      sources.addAfter(environment, ours);
    } else {
      sources.addLast(ours);
    }
  }
}
