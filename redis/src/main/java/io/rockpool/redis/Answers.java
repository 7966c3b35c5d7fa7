package io.rockpool.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for answers of servers. */
final class Answers {
  private Answers() {}

  /**
   * Waits for an answer, even if the thread is interrupted: the wait is bounded.
   *
   * @param place the server, for messages
   * @throws RedisCommandExecutionException if the server refused the command
   * @throws UnsettledException if it did not answer
   */
  static <T extends @Nullable Object> T await(
      CompletionStage<T> answer, Duration timeout, String place) {
    return await(answer, timeout, place, () -> "");
  }

  /**
   * As {@link #await(CompletionStage, Duration, String)}.
   *
   * @param hint says why the server may have ended the connection: empty, or begins with a space
   */
  static <T extends @Nullable Object> T await(
      CompletionStage<T> answer, Duration timeout, String place, Supplier<String> hint) {
    long end = System.nanoTime() + timeout.toNanos();
    CompletableFuture<T> future = answer.toCompletableFuture();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (TimeoutException | CancellationException e) {
      throw late(place, timeout, e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RedisCommandExecutionException refused) {
        throw refused;
      }
      if (e.getCause() instanceof RedisCommandTimeoutException) { // the client was faster
        throw late(place, timeout, e);
      }
      throw new UnsettledException(
          "The connection to " + place + " was lost before the answer." + hint.get(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static UnsettledException late(String place, Duration timeout, Exception cause) {
    return new UnsettledException(
        "The server "
            + place
            + " did not answer within "
            + timeout.toMillis()
            + " ms. Large values may need a higher option timeout.",
        cause);
  }
}
