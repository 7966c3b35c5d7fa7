package io.rockpool.spring.boot;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether {@code rockpool.idempotency.paths} has any. */
final class OnIdempotentPaths extends SpringBootCondition {
  private static final String PROPERTY = RockpoolProperties.PREFIX + ".idempotency.paths";

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    List<String> paths =
        Binder.get(context.getEnvironment())
            .bind(PROPERTY, Bindable.listOf(String.class))
            .orElse(List.of());
    return new ConditionOutcome(
        !paths.isEmpty(),
        ConditionMessage.forCondition("Idempotent paths").because(PROPERTY + " is " + paths));
  }
}
