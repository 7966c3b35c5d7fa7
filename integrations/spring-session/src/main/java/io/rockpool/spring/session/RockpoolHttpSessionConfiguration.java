package io.rockpool.spring.session;

import io.rockpool.Rockpool;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.EmbeddedValueResolverAware;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportAware;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.session.FlushMode;
import org.springframework.session.IndexResolver;
import org.springframework.session.MapSession;
import org.springframework.session.SaveMode;
import org.springframework.session.Session;
import org.springframework.session.SessionIdGenerator;
import org.springframework.session.config.SessionRepositoryCustomizer;
import org.springframework.session.config.annotation.web.http.SpringHttpSessionConfiguration;
import org.springframework.util.StringValueResolver;

/** The beans of {@link EnableRockpoolHttpSession}. Spring uses it. */
@Configuration(proxyBeanMethods = false)
@Import(SpringHttpSessionConfiguration.class)
public class RockpoolHttpSessionConfiguration implements ImportAware, EmbeddedValueResolverAware {
  private Duration maxInactiveInterval = MapSession.DEFAULT_MAX_INACTIVE_INTERVAL;
  private String name = RockpoolIndexedSessionRepository.DEFAULT_NAME;
  private FlushMode flushMode = FlushMode.ON_SAVE;
  private SaveMode saveMode = SaveMode.ON_SET_ATTRIBUTE;
  private String cleanupCron = RockpoolIndexedSessionRepository.DEFAULT_CLEANUP_CRON;
  private @Nullable StringValueResolver placeholders;

  /** The repository, over the application's store. */
  @Bean
  public RockpoolIndexedSessionRepository sessionRepository(
      Rockpool pool,
      ApplicationEventPublisher publisher,
      ObjectProvider<IndexResolver<Session>> indexResolver,
      ObjectProvider<SessionIdGenerator> idGenerator,
      ObjectProvider<SessionRepositoryCustomizer<RockpoolIndexedSessionRepository>> customizers) {
    RockpoolIndexedSessionRepository repository =
        new RockpoolIndexedSessionRepository(pool, name, options -> options);
    repository.setApplicationEventPublisher(publisher);
    repository.setDefaultMaxInactiveInterval(maxInactiveInterval);
    repository.setFlushMode(flushMode);
    repository.setSaveMode(saveMode);
    repository.setCleanupCron(cleanupCron);
    indexResolver.ifAvailable(repository::setIndexResolver);
    idGenerator.ifAvailable(repository::setSessionIdGenerator);
    customizers.orderedStream().forEach(customizer -> customizer.customize(repository));
    return repository;
  }

  @Override
  public void setEmbeddedValueResolver(StringValueResolver resolver) {
    placeholders = resolver;
  }

  @Override
  public void setImportMetadata(AnnotationMetadata metadata) {
    Map<String, @Nullable Object> values =
        metadata.getAnnotationAttributes(EnableRockpoolHttpSession.class.getName());
    AnnotationAttributes attributes = AnnotationAttributes.fromMap(values);
    if (attributes == null) {
      return; // imported by the auto-configuration
    }
    int seconds = attributes.getNumber("maxInactiveIntervalInSeconds");
    maxInactiveInterval = Duration.ofSeconds(seconds);
    name = resolved(attributes.getString("name"));
    flushMode = attributes.getEnum("flushMode");
    saveMode = attributes.getEnum("saveMode");
    cleanupCron = resolved(attributes.getString("cleanupCron"));
  }

  private String resolved(String text) {
    return placeholders == null
        ? text
        : Objects.requireNonNull(placeholders.resolveStringValue(text));
  }
}
