package io.rockpool.compatibility.machines;

import io.rockpool.testing.Child;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A machine of a campaign: its process, which is started again and again, and its network. */
final class RemoteMachine implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final List<String> QUIET = List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");

  private final FaultTarget target;
  private final int number;
  private final Path logs;
  private final FaultProxy network;
  private int lives;
  private long aheadMillis;
  private Child process;

  /** Starts a machine on a server. */
  RemoteMachine(FaultTarget target, int number, Path logs) throws IOException {
    this.target = target;
    this.number = number;
    this.logs = logs;
    this.network = new FaultProxy(target.port());
    this.process = run();
  }

  private Child run() throws IOException {
    URI uri = target.uri(network.port());
    Child started = Child.start(MachineMain.class, QUIET, uri, number, lives++, aheadMillis, logs);
    if (!MachineMain.OPEN.equals(line(started))) {
      started.close();
      throw new IOException("Machine " + number + " did not open its store.");
    }
    return started;
  }

  int number() {
    return number;
  }

  FaultProxy network() {
    return network;
  }

  void work(int round) throws IOException {
    process.say(MachineMain.ROUND + round);
  }

  /** Lets its threads end, so that all that they have done is known. */
  void stopWork() throws IOException {
    process.say(MachineMain.STOP);
    String answer = line(process);
    if (!MachineMain.STOPPED.equals(answer)) {
      throw new AssertionError("Threads of machine " + number + " hang: " + answer);
    }
  }

  /** What it reads from its memory or the server of each hot key of a round. */
  List<String> read(int round) throws IOException {
    process.say(MachineMain.READ + round);
    return List.of(line(process).split(" ", -1));
  }

  private static String line(Child process) throws IOException {
    CompletableFuture<String> line =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return String.valueOf(process.readLine());
              } catch (IOException e) {
                return "closed";
              }
            });
    try {
      return line.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException | InterruptedException e) {
      throw new IOException("The machine says nothing.", e);
    }
  }

  /** Kills the process. */
  void kill() throws InterruptedException {
    process.kill();
  }

  /** Starts it again, with a clock that is ahead of the system's. */
  void restart(long ahead) throws IOException {
    aheadMillis = ahead;
    process = run();
  }

  void pause() throws IOException, InterruptedException {
    process.stop();
  }

  void goOn() throws IOException, InterruptedException {
    process.goOn();
  }

  @Override
  public void close() throws IOException {
    process.close();
    network.close();
  }
}
