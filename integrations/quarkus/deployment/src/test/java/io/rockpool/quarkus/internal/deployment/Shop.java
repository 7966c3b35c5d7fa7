package io.rockpool.quarkus.internal.deployment;

import io.quarkus.cache.CacheInvalidate;
import io.quarkus.cache.CacheInvalidateAll;
import io.quarkus.cache.CacheKey;
import io.quarkus.cache.CacheResult;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The bean of the page. */
// QUARKUS
@Singleton
class Shop {
  final Map<String, String> database = new ConcurrentHashMap<>();

  @CacheResult(cacheName = "shelf")
  String find(String isbn) {
    return database.get(isbn);
  }

  @CacheResult(cacheName = "shelf")
  Uni<String> findLater(String isbn) {
    return Uni.createFrom().item(() -> database.get(isbn));
  }

  @CacheInvalidate(cacheName = "shelf")
  void save(@CacheKey String isbn, String title) {
    database.put(isbn, title);
  }

  @CacheInvalidateAll(cacheName = "shelf")
  void removeAll() {}
}
// QUARKUS
