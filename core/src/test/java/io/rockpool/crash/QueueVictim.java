package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.queue.QueueListener;
import java.io.IOException;
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
  private static final int BATCH_SIZE = 5;
  private static final Duration BATCH_WAIT = Duration.ofMillis(5);

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
    listen(work, new Random(seed + PRODUCERS));
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

  /** One more consumer; its handler only throws what it is meant to. */
  private static void listen(QueueWork work, Random random) {
    QueueListener.onBatches(work.queue, batch -> work.handle(batch, random))
        .batchSize(BATCH_SIZE)
        .batchWait(BATCH_WAIT)
        .onError(
            (delivery, failure) -> {
              if (!(failure instanceof IOException)) {
                fail(failure);
              }
              delivery.retry(failure.getMessage());
            })
        .start();
  }

  private static void fail(Throwable failure) {
    failure.printStackTrace();
    System.out.println(FAILED);
    Runtime.getRuntime().halt(1);
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
                fail(e);
              }
            });
    thread.start();
  }
}
