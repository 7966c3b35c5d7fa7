package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * When a cache fetches values anew although they have not expired. Immutable: each method returns
 * one that differs in one point, as in {@code CacheRefresh.<String,
 * Order>after(Duration.ofMinutes(5)).loader(orders::find)}.
 *
 * <p>When a value is written it is decided from when on it is <em>due</em>: once it is older than
 * the soft TTL, or in the last part of its life, whichever comes first. A read of a due value
 * returns it at once, and has it refreshed in the background, by one call of a loader for each key
 * at a time. What is never read is never refreshed, and expires.
 *
 * <p><b>Which loader.</b> That of {@link PersistentCache#get(Object, Function)}, where the read was
 * one; else the one given here; with neither, the value is served until it expires.
 *
 * <p><b>What becomes of the result.</b> It replaces the value, as a put would, with the expiry that
 * the policy gives it; null removes the entry. But if the key was put, removed or cleared since the
 * refresh began, that stays as it is, and the result is dropped. Who asks for a key that has
 * expired while it is refreshed is given the result, too, and loads nothing.
 *
 * <p><b>Failures.</b> If the loader throws, the value goes on being served until it expires, and
 * the key is not tried again before the retry pause is over. The first of several failures in a row
 * is logged, all are counted. A process that ends forgets what it was refreshing, and the pauses.
 *
 * <p><b>Bounds.</b> Refreshes run on threads of the cache's own, {@value #THREADS} at a time, and
 * {@value #WAITING} wait at most; or on an executor of one's own, which bounds them itself. What
 * does not fit is not begun, which is counted, and a later read tries again. While {@value
 * #MAX_KEYS} keys are being refreshed or in their pause, no others are.
 *
 * <p><b>Entries written before</b> the cache had a refresh, or by another cache of its name that
 * has none, do not say when they are due. They are due at once.
 *
 * <p><b>In a transaction</b> due values are served, and nothing is refreshed.
 *
 * @param softTtl how old a value may be; null for as old as its expiry allows
 * @param ahead the last part of an entry's life in which its value is due, as a fraction of the
 *     time from its writing to its expiry; 0 for none
 * @param loader fetches a value; null if each read brings its loader
 * @param executor where refreshes run; null for the cache's own threads
 * @param retryPause how long a key is left alone after its refresh has failed
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public record CacheRefresh<K, V>(
    @Nullable Duration softTtl,
    double ahead,
    @Nullable Function<? super K, ? extends @Nullable V> loader,
    @Nullable Executor executor,
    Duration retryPause) {
  /** How many refreshes of a cache run at a time: enough for a slow source, few for a weak one. */
  public static final int THREADS = 4;

  /** How many refreshes of a cache wait for a thread: some seconds' work. */
  public static final int WAITING = 256;

  /** How many keys are being refreshed or in their pause at most: some 100 bytes each. */
  public static final int MAX_KEYS = 8_192;

  /** How long a key is left alone after its refresh has failed, unless told otherwise. */
  public static final Duration DEFAULT_RETRY_PAUSE = Duration.ofSeconds(1);

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if a duration is not positive, the fraction not from 0 to
   *     below 1, or neither a soft TTL nor a fraction given
   */
  public CacheRefresh {
    requirePositive("softTtl", softTtl);
    requirePositive("retryPause", Objects.requireNonNull(retryPause, "retryPause"));
    if (!(ahead >= 0 && ahead < 1)) {
      throw new IllegalArgumentException(
          "The fraction of refresh-ahead is "
              + ahead
              + "; give one from 0 to below 1, such as 0.2 for the last fifth.");
    }
    if (softTtl == null && ahead == 0) {
      throw new IllegalArgumentException(
          "A refresh has neither a soft TTL nor a fraction of refresh-ahead; give one, or leave out the refresh.");
    }
  }

  /** Refreshes a value that is older than {@code softTtl}. */
  public static <K, V> CacheRefresh<K, V> after(Duration softTtl) {
    Objects.requireNonNull(softTtl, "softTtl");
    return new CacheRefresh<>(softTtl, 0, null, null, DEFAULT_RETRY_PAUSE);
  }

  /**
   * Refreshes a value in the last part of its life: 0.2 is the last fifth. What never expires is
   * never due.
   */
  public static <K, V> CacheRefresh<K, V> ahead(double fraction) {
    return new CacheRefresh<>(null, fraction, null, null, DEFAULT_RETRY_PAUSE);
  }

  /** Also in the last part of an entry's life; 0 for only after the soft TTL. */
  public CacheRefresh<K, V> orAhead(double fraction) {
    return new CacheRefresh<>(softTtl, fraction, loader, executor, retryPause);
  }

  /**
   * With a loader for reads that bring none. It is called with no lock held and may use any cache.
   */
  public CacheRefresh<K, V> loader(Function<? super K, ? extends @Nullable V> newLoader) {
    return new CacheRefresh<>(
        softTtl, ahead, Objects.requireNonNull(newLoader, "newLoader"), executor, retryPause);
  }

  /**
   * With refreshes on this executor. Where it throws a {@link
   * java.util.concurrent.RejectedExecutionException}, the refresh is not begun. A task that has not
   * begun after a minute counts as lost, and a later read tries again. The executor is not closed
   * with the cache.
   */
  public CacheRefresh<K, V> executor(Executor newExecutor) {
    return new CacheRefresh<>(
        softTtl, ahead, loader, Objects.requireNonNull(newExecutor, "newExecutor"), retryPause);
  }

  /** With this pause after a failure. */
  public CacheRefresh<K, V> retryPause(Duration pause) {
    return new CacheRefresh<>(softTtl, ahead, loader, executor, pause);
  }

  /** From when on a value is due that is written now and lives until {@code deadlineMillis}. */
  long refreshMillis(InstantSource clock, long deadlineMillis) {
    long soft = softTtl == null ? Expiry.NEVER : Expiry.after(clock, softTtl);
    if (ahead == 0 || deadlineMillis == Expiry.NEVER) {
      return soft;
    }
    long lifeMillis = deadlineMillis - clock.millis();
    return Math.min(soft, deadlineMillis - (long) (lifeMillis * ahead));
  }

  private static void requirePositive(String what, @Nullable Duration duration) {
    if (duration != null && (duration.isNegative() || duration.isZero())) {
      throw new IllegalArgumentException(what + " is " + duration + "; give a positive duration.");
    }
  }
}
