package io.rockpool.internal.logging;

/** The names of this module's loggers. They are constants, so that a log line imports no class. */
public final class LoggerNames {
  /** Opening, upkeep, recovery and closing of a store. */
  public static final String STORE = "io.rockpool.store";

  /** Opening and use of caches. */
  public static final String CACHE = "io.rockpool.cache.PersistentCache";

  /** Encoding and decoding. */
  public static final String CODEC = "io.rockpool.codec.Codecs";

  /** Background work and messages after commits. */
  public static final String ENGINE = "io.rockpool.engine.Engine";

  private LoggerNames() {}
}
