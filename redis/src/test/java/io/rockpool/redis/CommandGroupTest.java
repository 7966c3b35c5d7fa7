package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.DefaultEndpoint;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A group of commands that a connection has not sent yet ends with the connection. */
final class CommandGroupTest {
  private static AsyncCommand<byte[], byte[], String> ping() {
    return new AsyncCommand<>(
        new Command<>(CommandType.PING, new StatusOutput<>(ByteArrayCodec.INSTANCE)));
  }

  @Test
  void endsWithItsConnection() {
    ClientResources resources = DefaultClientResources.create();
    try {
      DefaultEndpoint connection = new DefaultEndpoint(ClientOptions.create(), resources);
      AsyncCommand<byte[], byte[], String> one = ping();
      AsyncCommand<byte[], byte[], String> other = ping();
      AsyncCommand<byte[], byte[], String> alone = ping();
      RedisCommand<byte[], byte[], ?> unused =
          connection.write(new CommandGroup(List.of(one, other)));
      RedisCommand<byte[], byte[], ?> unusedAlone = connection.write(alone);
      connection.close();
      assertThat(List.of(one, other, alone)).allMatch(AsyncCommand::isCancelled);
    } finally {
      Object unused = resources.shutdown();
    }
  }
}
