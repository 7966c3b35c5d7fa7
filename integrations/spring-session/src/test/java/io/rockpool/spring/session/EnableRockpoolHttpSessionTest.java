package io.rockpool.spring.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.DocumentExamples;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;
import org.springframework.session.FlushMode;
import org.springframework.session.SaveMode;
import org.springframework.session.SessionIdGenerator;
import org.springframework.session.config.SessionRepositoryCustomizer;
import org.springframework.session.web.http.SessionRepositoryFilter;

/** Spring without Boot. */
final class EnableRockpoolHttpSessionTest {
  @TempDir Path directory;

  // JAVADOC
  @Configuration(proxyBeanMethods = false)
  @EnableRockpoolHttpSession(maxInactiveIntervalInSeconds = 3600)
  static class Sessions {
    @Bean
    Rockpool pool(@Value("${shop.directory}") Path directory) {
      return Rockpool.open(directory);
    }
  }

  // JAVADOC

  @Configuration(proxyBeanMethods = false)
  @EnableRockpoolHttpSession(
      name = "${shop.sessions}",
      flushMode = FlushMode.IMMEDIATE,
      saveMode = SaveMode.ALWAYS,
      cleanupCron = "-")
  static class AllOptions {
    @Bean
    static PropertySourcesPlaceholderConfigurer placeholders() {
      return new PropertySourcesPlaceholderConfigurer();
    }

    @Bean
    Rockpool pool() {
      return Rockpool.inMemory();
    }

    @Bean
    SessionIdGenerator ids() {
      return () -> "s-1";
    }

    @Bean
    SessionRepositoryCustomizer<RockpoolIndexedSessionRepository> shorter() {
      return repository -> repository.setDefaultMaxInactiveInterval(Duration.ofMinutes(5));
    }
  }

  private AnnotationConfigApplicationContext context(Class<?> configuration) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(
            new MapPropertySource(
                "test",
                Map.of("shop.directory", "" + directory, "shop.sessions", "shop/sessions")));
    context.register(configuration);
    context.refresh();
    return context;
  }

  @Test
  void theAnnotationIsEnough() {
    String id;
    try (AnnotationConfigApplicationContext context = context(Sessions.class)) {
      assertThat(context.getBean(SessionRepositoryFilter.class)).isNotNull();
      RockpoolIndexedSessionRepository sessions =
          context.getBean(RockpoolIndexedSessionRepository.class);
      RockpoolSession session = sessions.createSession();
      assertThat(session.getMaxInactiveInterval()).hasHours(1);
      sessions.save(session);
      id = session.getId();
    }
    try (AnnotationConfigApplicationContext context = context(Sessions.class)) {
      assertThat(context.getBean(RockpoolIndexedSessionRepository.class).findById(id)).isNotNull();
    }
  }

  @Test
  void theAnnotationHasOptions() {
    try (AnnotationConfigApplicationContext context = context(AllOptions.class)) {
      RockpoolIndexedSessionRepository sessions =
          context.getBean(RockpoolIndexedSessionRepository.class);
      RockpoolSession session = sessions.createSession();
      assertThat(session.getId()).isEqualTo("s-1");
      assertThat(session.getMaxInactiveInterval()).hasMinutes(5);
      assertThat(sessions.findById("s-1")).isNotNull();
      assertThat(sessions.saveMode()).isEqualTo(SaveMode.ALWAYS);
      assertThat(context.getBean(Rockpool.class).names().list("shop/sessions")).hasSize(3);
    }
  }

  @Test
  void theExampleIsInTheDocuments() {
    DocumentExamples.assertIn(
        "docs/spring-session.md", "JAVADOC", EnableRockpoolHttpSessionTest.class);
    DocumentExamples.assertInJavadoc(
        "JAVADOC", EnableRockpoolHttpSessionTest.class, RockpoolIndexedSessionRepository.class);
  }
}
