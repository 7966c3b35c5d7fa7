package io.rockpool.crash;

import io.rockpool.Rockpool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/** A process with producers and consumers of one queue, which works until it is killed. */
final class QueueVictim {
  static final String AT_WORK = "at work";
  static final String FAILED = "failed";

  private static final int PRODUCERS = 3;
  private static final int CONSUMERS = 4;
  private static final Duration WAIT = Duration.ofSeconds(1);

  private QueueVictim() {}

  /** Works on the store at the first argument; the second is a seed, the third names the round. */
  public static void main(String[] arguments) {
    QueueWork work = new QueueWork(Rockpool.open(Path.of(arguments[0])), System.out::println);
    long seed = Long.parseLong(arguments[1]);
    System.out.println(AT_WORK);
    for (int i = 0; i < PRODUCERS; i++) {
      String producer = arguments[2] + "-" + i;
      Random random = new Random(seed + i);
      start(
          new Runnable() {
            private int number;

            @Override
            public void run() {
              work.produce(producer, number++, random);
            }
          });
    }
    for (int i = 0; i < CONSUMERS; i++) {
      Random random = new Random(seed - 1 - i);
      start(
          () -> {
            try {
              work.consume(random, WAIT);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          });
    }
  }

  private static void start(Runnable step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  step.run();
                }
              } catch (RuntimeException | Error e) {
                e.printStackTrace();
                System.out.println(FAILED);
                Runtime.getRuntime().halt(1);
              }
            });
    thread.start();
  }
}
