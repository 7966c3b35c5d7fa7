package io.rockpool.spring.boot;

import io.rockpool.RockpoolBuilder;

/**
 * A bean of this type changes how the auto-configured store is opened, such as its clock or codecs.
 * The auto-configuration applies the properties first and then all customizers in their order, as
 * given by {@link org.springframework.core.annotation.Order}.
 */
@FunctionalInterface
public interface RockpoolBuilderCustomizer {
  /** Changes options of the store that is about to be opened. */
  void customize(RockpoolBuilder builder);
}
