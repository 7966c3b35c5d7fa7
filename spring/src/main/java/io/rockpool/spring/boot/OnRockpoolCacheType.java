package io.rockpool.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** Whether {@code spring.cache.type} leaves the choice open, or is {@code rockpool}. */
final class OnRockpoolCacheType extends SpringBootCondition {
  private static final String PROPERTY = "spring.cache.type";

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    ConditionMessage.Builder message = ConditionMessage.forCondition("Rockpool cache type");
    String type = context.getEnvironment().getProperty(PROPERTY);
    if (!StringUtils.hasText(type)) {
      return ConditionOutcome.match(message.because("automatic cache type"));
    }
    return new ConditionOutcome(
        type.strip().equalsIgnoreCase(RockpoolProperties.PREFIX),
        message.because(PROPERTY + " is " + type));
  }
}
