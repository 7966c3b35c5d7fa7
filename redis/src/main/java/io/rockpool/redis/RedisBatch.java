package io.rockpool.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rockpool.engine.Expiry;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Commands that are sent to one server at once: one round trip. Not thread-safe. */
final class RedisBatch {
  private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;

  /** The least that a server's proto-max-bulk-len and client-query-buffer-limit can be. */
  private static final int LARGE_BYTES = 1 << 20;

  private final List<RedisCommand<byte[], byte[], ?>> commands = new ArrayList<>();
  private final List<CompletableFuture<?>> answers = new ArrayList<>();
  private final @Nullable Function<String, @Nullable Link> asked;
  private volatile boolean divided;

  /** The commands as they were sent, if there are several. */
  private @Nullable CommandGroup group;

  RedisBatch() {
    this(null);
  }

  /**
   * A batch whose commands follow keys to other servers, while their slots move.
   *
   * @param asked returns the link to the server at a place, or null; must not wait
   */
  RedisBatch(@Nullable Function<String, @Nullable Link> asked) {
    this.asked =
        asked == null
            ? null
            : place -> {
              divided = true;
              return asked.apply(place);
            };
  }

  CompletableFuture<byte[]> get(byte[] key) {
    return add(CommandType.GET, () -> new ValueOutput<>(CODEC), arguments().addKey(key));
  }

  CompletableFuture<byte[]> getRange(byte[] key, long first, long last) {
    return add(
        CommandType.GETRANGE,
        () -> new ValueOutput<>(CODEC),
        arguments().addKey(key).add(first).add(last));
  }

  CompletableFuture<String> set(byte[] key, byte[] value) {
    return add(
        CommandType.SET, () -> new StatusOutput<>(CODEC), arguments().addKey(key).addValue(value));
  }

  /** Sets a value that the server removes at a time, unless that is {@link Expiry#NEVER}. */
  CompletableFuture<String> set(byte[] key, byte[] value, long removedMillis) {
    if (removedMillis == Expiry.NEVER) {
      return set(key, value);
    }
    return add(
        CommandType.SET,
        () -> new StatusOutput<>(CODEC),
        arguments().addKey(key).addValue(value).add("PXAT").add(removedMillis));
  }

  /** Sets a value unless there is one. */
  CompletableFuture<String> setIfAbsent(byte[] key, byte[] value) {
    return add(
        CommandType.SET,
        () -> new StatusOutput<>(CODEC),
        arguments().addKey(key).addValue(value).add("NX"));
  }

  /** Reads a value; if there is none, sets one, which the server removes after a time. */
  CompletableFuture<byte[]> getOrSet(byte[] key, byte[] value, long millis) {
    return add(
        CommandType.SET,
        () -> new ValueOutput<>(CODEC),
        arguments().addKey(key).addValue(value).add("NX").add("GET").add("PX").add(millis));
  }

  CompletableFuture<Long> delete(byte[] key) {
    return add(CommandType.DEL, () -> new IntegerOutput<>(CODEC), arguments().addKey(key));
  }

  /**
   * Deletes a key so that the server reports it even if there is none. A full server refuses the
   * first command and runs the second: then an absent key is not reported. No load can be stored
   * there that began before, as it would have its placeholder in the key.
   */
  CompletableFuture<Long> touchAndDelete(byte[] key) {
    CommandArgs<byte[], byte[]> empty = arguments().addKey(key).addValue(new byte[0]);
    commands.add(command(CommandType.SET, () -> new StatusOutput<>(CODEC), empty));
    return delete(key);
  }

  CompletableFuture<Long> unlink(byte[] key) {
    return add(CommandType.UNLINK, () -> new IntegerOutput<>(CODEC), arguments().addKey(key));
  }

  CompletableFuture<List<Object>> run(Scripts script, List<byte[]> keys, List<byte[]> arguments) {
    CommandArgs<byte[], byte[]> all = arguments().add(script.digest()).add(keys.size());
    keys.forEach(all::addKey);
    arguments.forEach(all::addValue);
    return add(CommandType.EVALSHA, () -> new NestedMultiOutput<>(CODEC), all);
  }

  CompletableFuture<byte[]> field(byte[] key, byte[] field) {
    return add(
        CommandType.HGET, () -> new ValueOutput<>(CODEC), arguments().addKey(key).addValue(field));
  }

  /** Reads two fields at one moment; null for each absent one. */
  CompletableFuture<List<byte[]>> fields(byte[] key, byte[] one, byte[] other) {
    return add(
        CommandType.HMGET,
        () -> new ValueListOutput<>(CODEC),
        arguments().addKey(key).addValue(one).addValue(other));
  }

  CompletableFuture<List<Object>> fields(byte[] key) {
    return add(CommandType.HGETALL, () -> new NestedMultiOutput<>(CODEC), arguments().addKey(key));
  }

  CompletableFuture<Long> deleteFields(byte[] key, List<byte[]> fields) {
    CommandArgs<byte[], byte[]> all = arguments().addKey(key);
    fields.forEach(all::addValue);
    return add(CommandType.HDEL, () -> new IntegerOutput<>(CODEC), all);
  }

  /** Whether a server said that a key moves to another one. */
  boolean isDivided() {
    return divided;
  }

  boolean isEmpty() {
    return commands.isEmpty();
  }

  /** Sends everything at once. */
  void send(StatefulRedisConnection<byte[], byte[]> connection) {
    CommandGroup several = commands.size() == 1 ? null : new CommandGroup(commands);
    group = several;
    RedisCommand<byte[], byte[], ?> all = several == null ? commands.get(0) : several;
    RedisCommand<byte[], byte[], ?> unused = connection.dispatch(all);
  }

  /** Reads two values at one moment; null for each absent one. */
  CompletableFuture<List<byte[]>> two(byte[] one, byte[] other) {
    return add(
        CommandType.MGET,
        () -> new ValueListOutput<>(CODEC),
        arguments().addKey(one).addKey(other));
  }

  /**
   * Waits for all answers, as {@link Answers#await} does. The last one comes last, so a thread
   * waits once. Throws a refusal when all commands have been answered.
   */
  void await(Duration timeout, String place) {
    RedisCommandExecutionException refused = null;
    for (int i = answers.size() - 1; i >= 0; i--) {
      try {
        Object unused = Answers.await(answers.get(i), timeout, place, this::hint);
      } catch (RedisCommandExecutionException e) {
        refused = refused == null ? e : refused;
      }
    }
    if (refused != null) {
      throw refused;
    }
  }

  /** Which limit of the server this batch may have exceeded. */
  private String hint() {
    return isLarge()
        ? " A server ends it if a value is larger than its proto-max-bulk-len,"
            + " client-query-buffer-limit or maxmemory-clients allows."
        : "";
  }

  /** Copies the commands, up to a limit: only for errors. */
  private boolean isLarge() {
    ByteBuf copy = Unpooled.buffer(0, LARGE_BYTES);
    try {
      for (RedisCommand<byte[], byte[], ?> command : commands) {
        command.getArgs().encode(copy);
      }
      return false;
    } catch (IndexOutOfBoundsException e) { // there is no room left
      return true;
    } finally {
      boolean unused = copy.release();
    }
  }

  /** Whether the server has run a command. */
  boolean hasSucceeded() {
    return answers.stream().anyMatch(RedisBatch::hasSucceeded);
  }

  /** Whether the server has run the command of an answer. */
  static boolean hasSucceeded(CompletableFuture<?> answer) {
    return answer.isDone() && !answer.isCompletedExceptionally();
  }

  /** Gives up the answers of commands that were not sent. */
  void cancel() {
    for (CompletableFuture<?> answer : answers) {
      boolean unused = answer.cancel(false);
    }
  }

  /**
   * Whether no command has left this machine: the connection was already closed. A single command
   * that was sent in part is none for the server; of several, it may have run the first.
   */
  boolean wasNeverSent() {
    boolean isPartSent = group != null && group.hasReachedConnection();
    return !isPartSent && answers.stream().allMatch(RedisBatch::wasNeverSent);
  }

  private static boolean wasNeverSent(CompletableFuture<?> answer) {
    Throwable failure = answer.handle((any, thrown) -> thrown).getNow(null);
    return failure instanceof ClosedChannelException
        || (failure != null && failure.getCause() instanceof ClosedChannelException);
  }

  private static CommandArgs<byte[], byte[]> arguments() {
    return new CommandArgs<>(CODEC);
  }

  private <T> CompletableFuture<T> add(
      ProtocolKeyword type,
      Supplier<CommandOutput<byte[], byte[], T>> output,
      CommandArgs<byte[], byte[]> arguments) {
    AsyncCommand<byte[], byte[], T> command = command(type, output, arguments);
    commands.add(command);
    answers.add(command);
    return command;
  }

  private <T> AsyncCommand<byte[], byte[], T> command(
      ProtocolKeyword type,
      Supplier<CommandOutput<byte[], byte[], T>> output,
      CommandArgs<byte[], byte[]> arguments) {
    return asked == null
        ? new AsyncCommand<>(new Command<>(type, output.get(), arguments))
        : new Followed<>(asked, type, output, arguments);
  }

  /**
   * A command that is repeated at another server if the first one says that the key has moved
   * there, or would be created there: {@code ASK}, while the slot moves.
   */
  private static final class Followed<T> extends AsyncCommand<byte[], byte[], T> {
    private static final String ASK = "ASK ";

    private final Function<String, @Nullable Link> asked;
    private final Supplier<CommandOutput<byte[], byte[], T>> output;

    Followed(
        Function<String, @Nullable Link> asked,
        ProtocolKeyword type,
        Supplier<CommandOutput<byte[], byte[], T>> output,
        CommandArgs<byte[], byte[]> arguments) {
      super(new Command<>(type, output.get(), arguments));
      this.asked = asked;
      this.output = output;
    }

    /** Runs on the thread of a connection, which must not wait. */
    @Override
    public void complete() {
      String error = getOutput().getError();
      if (error == null || !error.startsWith(ASK) || !isFollowed(error)) {
        super.complete();
      }
    }

    private boolean isFollowed(String error) {
      Link link = asked.apply(error.substring(error.lastIndexOf(' ') + 1));
      if (link == null) {
        return false;
      }
      RedisBatch batch = new RedisBatch();
      CompletableFuture<String> unused =
          batch.add(CommandType.ASKING, () -> new StatusOutput<>(CODEC), arguments());
      CompletableFuture<T> answer = batch.add(getType(), output, getArgs());
      try {
        if (!link.sendLater(batch)) {
          return false;
        }
      } catch (RedisException e) {
        return false;
      }
      CompletableFuture<Boolean> unusedEnd =
          answer.handle(
              (value, failure) -> {
                if (failure == null) {
                  return complete(value);
                }
                if (batch.wasNeverSent()) {
                  super.complete(); // with the first server's answer, so that the call is repeated
                  return true;
                }
                return completeExceptionally(failure);
              });
      return true;
    }
  }
}
