package io.rockpool.sample.sessions;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Many visitors at once. What a line says was done before it was written: kill it and see. */
final class Crowd {
  /** The attribute of how many things a visitor took. */
  static final String CART = "cart";

  private final SessionStore store;
  private final int things;

  /** Visitors who will take so many things each. */
  Crowd(SessionStore store, int things) {
    this.store = store;
    this.things = things;
  }

  /** Lets them in, and returns when all have what they want. */
  void visit(int visitors) {
    ExecutorService threads = Executors.newFixedThreadPool(visitors);
    try {
      CompletableFuture.allOf(
              IntStream.rangeClosed(1, visitors)
                  .mapToObj(n -> CompletableFuture.runAsync(() -> visit("visitor-" + n), threads))
                  .toArray(CompletableFuture[]::new))
          .join();
    } finally {
      threads.shutdown();
    }
  }

  private void visit(String visitor) {
    String id = store.login(visitor).id();
    for (int taken = 1; taken <= things; taken++) {
      Session session = store.set(id, CART, Integer.toString(taken)).orElseThrow();
      System.out.printf(
          Locale.ROOT, "%s has %s in the cart.%n", visitor, session.attributes().get(CART));
    }
  }
}
