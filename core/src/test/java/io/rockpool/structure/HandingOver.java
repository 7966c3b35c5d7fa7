package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.LAST;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The child of {@link DequeCrashTest}: producers put numbers, consumers take them, or move them to
 * another deque, until it is killed. Each number that was put goes down the pipe, and its negative
 * once it was taken.
 */
final class HandingOver {
  static final String TODO = "crash/todo";
  static final String DONE = "crash/done";
  static final int THREADS = 8;

  private static final int CAPACITY = 20;
  private static final long PER_PRODUCER = 1L << 32;
  private static final long PER_ROUND = 1L << 24;

  private HandingOver() {}

  static long producer(long number) {
    return number / PER_PRODUCER;
  }

  /** Arguments: directory, number of the round. */
  public static void main(String[] args) {
    Rockpool pool = Rockpool.open(Path.of(args[0]));
    long first = Long.parseLong(args[1]) * PER_ROUND + 1;
    StructureOptions bounded = StructureOptions.defaults().capacity(CAPACITY);
    PersistentDeque<Long> todo = pool.deque(TODO, TypeRef.of(Long.class), o -> bounded);
    PersistentDeque<Long> done = pool.deque(DONE, Long.class);
    DataOutputStream pipe = new DataOutputStream(System.out);
    for (int thread = 0; thread < THREADS; thread++) {
      long from = thread * PER_PRODUCER + first;
      boolean moves = thread % 2 == 0;
      start(() -> produce(todo, from, pipe));
      start(() -> consume(todo, moves ? done : null, pipe));
    }
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static void start(Work work) {
    new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            })
        .start();
  }

  private static void produce(PersistentDeque<Long> todo, long from, DataOutputStream pipe)
      throws IOException, InterruptedException {
    for (long number = from; ; number++) {
      todo.put(number);
      say(pipe, number);
    }
  }

  private static void consume(
      PersistentDeque<Long> todo, PersistentDeque<Long> done, DataOutputStream pipe)
      throws IOException, InterruptedException {
    while (true) {
      if (done == null) {
        say(pipe, -todo.take());
      } else if (todo.moveFirstTo(done, LAST) == null) {
        Thread.onSpinWait();
      }
    }
  }

  private static void say(DataOutputStream pipe, long number) throws IOException {
    synchronized (pipe) {
      pipe.writeLong(number);
      pipe.flush();
    }
  }
}
