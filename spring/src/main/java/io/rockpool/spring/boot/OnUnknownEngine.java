package io.rockpool.spring.boot;

import io.rockpool.engine.EngineFactory;
import java.util.Objects;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.MethodMetadata;

/**
 * Whether {@code rockpool.transactions} is unset, and only the open store shows whether it can have
 * transactions: a bean {@code EngineFactory} or {@code Rockpool} of the application, or a URI of
 * another engine than Rockpool's own, says where the store is.
 */
final class OnUnknownEngine implements ConfigurationCondition {
  private static final String STORE = "rockpool";

  @Override
  public ConfigurationPhase getConfigurationPhase() {
    return ConfigurationPhase.REGISTER_BEAN;
  }

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    if (context.getEnvironment().containsProperty(OnStoreWithTransactions.PROPERTY)) {
      return false;
    }
    ConfigurableListableBeanFactory beans = Objects.requireNonNull(context.getBeanFactory());
    return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                    beans, EngineFactory.class, true, false)
                .length
            > 0
        || StorePlace.isOnAnotherEngine(context.getEnvironment())
        || !hasStoreOfProperties(beans);
  }

  private static boolean hasStoreOfProperties(ConfigurableListableBeanFactory beans) {
    if (!beans.containsBeanDefinition(STORE)
        || !(beans.getBeanDefinition(STORE) instanceof AnnotatedBeanDefinition definition)) {
      return false;
    }
    MethodMetadata method = definition.getFactoryMethodMetadata();
    return method != null
        && method.getDeclaringClassName().equals(RockpoolAutoConfiguration.class.getName());
  }
}
