package io.rockpool.testing;

import io.rockpool.engine.Engine;
import io.rockpool.internal.engine.EngineUpkeep;

/** The interfaces that a proxy of an engine's objects needs. */
public final class Proxied {
  private Proxied() {}

  /** {@code type}, and for an engine also its upkeep. */
  public static Class<?>[] interfaces(Class<?> type) {
    return type == Engine.class ? new Class<?>[] {type, EngineUpkeep.class} : new Class<?>[] {type};
  }
}
