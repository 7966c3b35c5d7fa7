package io.rockpool.quarkus.internal.deployment;

import io.quarkus.cache.CacheResult;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;

/** A bean whose source a test changes. */
@Singleton
class Titles {
  record Title(String isbn, String of) {}

  final AtomicInteger calls = new AtomicInteger();

  @CacheResult(cacheName = "titles")
  Title find(String isbn) {
    calls.incrementAndGet();
    return new Title(isbn, source());
  }

  String source() {
    return "first";
  }
}
