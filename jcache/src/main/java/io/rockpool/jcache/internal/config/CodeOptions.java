package io.rockpool.jcache.internal.config;

import io.rockpool.cache.CacheOption;

/** The options of a JCache that are code, and so cannot be stored with it. */
public final class CodeOptions {
  /** A {@link io.rockpool.codec.Codec} of keys. */
  public static final CacheOption<Object> KEY_CODEC = CacheOption.code("keyCodec");

  /** A {@link io.rockpool.codec.Codec} of values. */
  public static final CacheOption<Object> VALUE_CODEC = CacheOption.code("valueCodec");

  /** A {@link java.util.function.BiFunction} that returns how long an entry lives. */
  public static final CacheOption<Object> ENTRY_TTL = CacheOption.code("entryTtl");

  /** A {@link java.util.function.BiFunction} that returns the tags of an entry. */
  public static final CacheOption<Object> TAGS = CacheOption.code("tags");

  /** The {@link io.rockpool.cache.WriteBehindOptions} of a writer. */
  public static final CacheOption<Object> WRITE_BEHIND = CacheOption.code("writeBehindOptions");

  private CodeOptions() {}
}
