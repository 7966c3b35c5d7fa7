package io.rockpool.spring.boot;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether the store can have transactions, which one on Redis cannot. A transaction manager that is
 * asked for there is refused.
 */
final class OnStoreWithTransactions implements Condition {
  private static final String PROPERTY = RockpoolProperties.PREFIX + ".transactions";

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    Environment environment = context.getEnvironment();
    if (!StorePlace.isOnRedis(environment)) {
      return true;
    }
    String asked = environment.getProperty(PROPERTY);
    if ("true".equalsIgnoreCase(asked)) {
      throw new InvalidConfigurationPropertyValueException(
          PROPERTY,
          asked,
          "A store on Redis has no transactions. Leave the property out, or keep the store in a"
              + " directory or on PostgreSQL.");
    }
    return false;
  }
}
