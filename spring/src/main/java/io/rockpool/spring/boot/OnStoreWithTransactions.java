package io.rockpool.spring.boot;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether the store can have transactions, which one of the properties that is on Redis cannot. A
 * transaction manager that is asked for there is refused. {@link OnUnknownEngine} is for other
 * stores.
 */
final class OnStoreWithTransactions implements Condition {
  static final String PROPERTY = RockpoolProperties.PREFIX + ".transactions";

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    Environment environment = context.getEnvironment();
    if (!StorePlace.isOnRedis(environment)) {
      return true;
    }
    if ("true".equalsIgnoreCase(environment.getProperty(PROPERTY))) {
      throw refusal("A store on Redis");
    }
    return false;
  }

  static InvalidConfigurationPropertyValueException refusal(String store) {
    return new InvalidConfigurationPropertyValueException(
        PROPERTY,
        "true",
        store
            + " has no transactions. Leave the property out, or keep the store in a directory or on"
            + " PostgreSQL.");
  }
}
