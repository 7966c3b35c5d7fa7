package io.rockpool.spring.session;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;
import org.springframework.session.FlushMode;
import org.springframework.session.MapSession;
import org.springframework.session.SaveMode;

/**
 * On a class with {@code @Configuration}: HTTP sessions are those of a {@link
 * RockpoolIndexedSessionRepository}, over the bean of type {@code Rockpool}. A bean of type {@code
 * SessionRepositoryCustomizer<RockpoolIndexedSessionRepository>} sets what is not here. With Spring
 * Boot, the dependency is enough.
 */
@Documented
@Import(RockpoolHttpSessionConfiguration.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface EnableRockpoolHttpSession {
  /** How long a session lives without an access, in seconds; negative: for good. */
  int maxInactiveIntervalInSeconds() default MapSession.DEFAULT_MAX_INACTIVE_INTERVAL_SECONDS;

  /** The level of the collections; may have placeholders. */
  String name() default RockpoolIndexedSessionRepository.DEFAULT_NAME;

  /** When sessions are written. */
  FlushMode flushMode() default FlushMode.ON_SAVE;

  /** Which attributes are written. */
  SaveMode saveMode() default SaveMode.ON_SET_ATTRIBUTE;

  /** When expired sessions are removed; {@code "-"}: when they are read. */
  String cleanupCron() default RockpoolIndexedSessionRepository.DEFAULT_CLEANUP_CRON;
}
