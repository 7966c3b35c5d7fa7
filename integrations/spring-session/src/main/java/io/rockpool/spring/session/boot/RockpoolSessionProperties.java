package io.rockpool.spring.session.boot;

import io.rockpool.spring.session.RockpoolIndexedSessionRepository;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.session.FlushMode;
import org.springframework.session.SaveMode;

/**
 * The properties {@code rockpool.session}. The timeout is Spring Boot's {@code
 * spring.session.timeout}.
 *
 * @param flushMode When sessions are written: at the end of a request, or at each change.
 * @param saveMode Which attributes are written.
 * @param cleanupCron When expired sessions are removed; "-" removes them when they are read.
 */
@ConfigurationProperties("rockpool.session")
public record RockpoolSessionProperties(
    @DefaultValue("on-save") FlushMode flushMode,
    @DefaultValue("on-set-attribute") SaveMode saveMode,
    @DefaultValue(RockpoolIndexedSessionRepository.DEFAULT_CLEANUP_CRON) String cleanupCron) {}
