package io.rockpool.spring.boot;

import io.rockpool.error.RockpoolException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Ends the start of an application with an older Spring Boot, before a class is missing somewhere.
 * Uses only what these older versions have, too.
 */
final class BootVersionCheck
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  private static final int FIRST_SUPPORTED = 4;

  /** The application runs on a Spring Boot that this module does not support. */
  static final class UnsupportedBootException extends RockpoolException {
    private static final long serialVersionUID = 1L;

    UnsupportedBootException(String version) {
      super(
          "rockpool-spring needs Spring Boot 4. This application runs on Spring Boot "
              + version
              + ".");
    }
  }

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    check(SpringBootVersion.getVersion());
  }

  /** Refuses a version that is known to be too old. */
  static void check(@Nullable String version) {
    if (version != null
        && version.matches("[0-9]+\\..*")
        && Integer.parseInt(version.substring(0, version.indexOf('.'))) < FIRST_SUPPORTED) {
      throw new UnsupportedBootException(version);
    }
  }
}
