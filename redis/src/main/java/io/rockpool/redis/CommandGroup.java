package io.rockpool.redis;

import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commands that are handed to the thread of a connection together: it wakes once, and writes one
 * buffer. A list that is dispatched without this is one task and one buffer for each command.
 */
final class CommandGroup implements RedisCommand<byte[], byte[], Object> {
  private final List<RedisCommand<byte[], byte[], ?>> commands;

  /** Whether the connection was open: then a part may have left this machine. */
  private volatile boolean reachedConnection;

  /** A group of at least one command. */
  CommandGroup(List<RedisCommand<byte[], byte[], ?>> commands) {
    this.commands = List.copyOf(commands);
  }

  /** Makes connections able to send groups. */
  static final class Customizer implements NettyCustomizer {
    @Override
    public void afterChannelInitialized(Channel channel) {
      channel.pipeline().addLast(Opener.ANY);
    }
  }

  /** Passes the commands of a group on, as one message. */
  @Sharable
  private static final class Opener extends ChannelOutboundHandlerAdapter {
    static final Opener ANY = new Opener();

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      Object written = message;
      if (message instanceof CommandGroup group) {
        group.reachedConnection = context.channel().isActive();
        written = group.commands;
      }
      ChannelFuture unused = context.write(written, promise);
    }
  }

  /** Whether a part of the group may have left this machine, also if its write has failed. */
  boolean hasReachedConnection() {
    return reachedConnection;
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    commands.forEach(command -> command.completeExceptionally(failure));
    return true;
  }

  @Override
  public void cancel() {
    commands.forEach(RedisCommand::cancel);
  }

  @Override
  public boolean isCancelled() {
    return commands.stream().allMatch(RedisCommand::isCancelled);
  }

  @Override
  public boolean isDone() {
    return commands.stream().allMatch(RedisCommand::isDone);
  }

  /** That of the first command, by which a connection knows commands that change its state. */
  @Override
  public ProtocolKeyword getType() {
    return commands.get(0).getType();
  }

  @Override
  public CommandArgs<byte[], byte[]> getArgs() {
    return commands.get(0).getArgs();
  }

  /** None: each command has its own. A connection that ends would note its error there. */
  @Override
  public @Nullable CommandOutput<byte[], byte[], Object> getOutput() {
    return null;
  }

  @Override
  public void setOutput(CommandOutput<byte[], byte[], Object> output) {
    throw eachHasItsOwn();
  }

  @Override
  public void complete() {
    throw eachHasItsOwn();
  }

  @Override
  public void encode(ByteBuf buffer) {
    throw eachHasItsOwn();
  }

  private static UnsupportedOperationException eachHasItsOwn() {
    return new UnsupportedOperationException("Ask each command of the group.");
  }
}
