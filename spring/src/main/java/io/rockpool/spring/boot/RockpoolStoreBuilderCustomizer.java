package io.rockpool.spring.boot;

import io.rockpool.RockpoolBuilder;

/**
 * A bean of this kind changes how the auto-configured store is opened: its clock, or its codecs.
 * They are called in their order, after the properties were applied.
 */
@FunctionalInterface
public interface RockpoolStoreBuilderCustomizer {
  /** Changes what it wants to. */
  void customize(RockpoolBuilder builder);
}
