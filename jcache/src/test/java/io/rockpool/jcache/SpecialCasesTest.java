package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.rockpool.engine.memory.MemoryEngine;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Operations where the expiry policy lets an entry end at once, or the policy, the loader or the
 * writer fails. Reads and writes go through; everybody watches. Notation as in {@link
 * OperationTableTest}; E is the event of an expired entry.
 */
class SpecialCasesTest extends JCacheTest {
  /** What misbehaves, the operation, what happens if the key is absent, and if it is present. */
  private static final String TABLE =
      """
      creation zero  | put                   | xC W -> none                  | put xU U W -> new
      creation zero  | putAll                | xC Ws -> none                 | put xU U Ws -> new
      creation zero  | getAndPut             | miss xC W -> none             | hit put xU U W -> new
      creation zero  | putIfAbsent           | miss xC W -> none             | hit -> old
      creation zero  | invoke set            | miss xC W -> none             | hit put xU U W -> new
      creation zero  | invokeAll set         | miss xC W -> none             | hit put xU U W -> new
      creation zero  | get                   | miss L xC -> none             | hit xA -> old
      creation zero  | getAll                | miss Ls xC -> none            | hit xA -> old
      creation zero  | loadAll keeping       | Ls xC -> none                 | -> old
      update zero    | put                   | put xC C W -> new             | put xU U W -> none
      update zero    | putAll                | put xC C Ws -> new            | put xU U Ws -> none
      update zero    | getAndPut             | miss put xC C W -> new        | hit put xU U W -> none
      update zero    | replace               | miss -> none                  | hit put xU U W -> none
      update zero    | replace equal         | miss -> none                  | hit put xU U W -> none
      update zero    | invoke set            | miss put xC C W -> new        | hit put xU U W -> none
      update zero    | loadAll replacing     | Ls xC C -> loaded             | Ls xU U -> none
      access zero    | get                   | miss L xC C -> loaded         | hit xA -> none
      access zero    | getAll                | miss Ls xC C -> loaded        | hit xA -> none
      access zero    | replace other         | miss -> none                  | hit xA -> none
      access zero    | invoke get            | miss L xC C -> loaded         | hit xA -> none
      policy fails   | put                   | put xC C W -> new             | put xU U W -> new
      policy fails   | get                   | miss L xC C -> loaded         | hit xA -> old
      policy fails   | invoke set            | miss put xC C W -> new        | hit put xU U W -> new
      no update      | put                   | put xC C W -> new             | put xU U W -> new
      loader fails   | get                   | miss L failed -> none                | hit xA -> old
      loader fails   | getAll                | miss Ls failed -> none               | hit xA -> old
      loader fails   | invoke get            | miss L failed -> none                | hit xA -> old
      loader fails   | loadAll replacing     | Ls failed -> none                    | Ls failed -> old
      writer fails   | put                   | W failed -> none                     | W failed -> old
      writer fails   | putAll                | Ws failed -> none                    | Ws failed -> old
      writer fails   | getAndPut             | W failed -> none                     | W failed -> old
      writer fails   | putIfAbsent           | W failed -> none                     | hit -> old
      writer fails   | remove                | D failed -> none                     | D failed -> old
      writer fails   | remove equal          | miss -> none                  | D failed -> old
      writer fails   | getAndRemove          | D failed -> none                     | D failed -> old
      writer fails   | replace               | miss -> none                  | W failed -> old
      writer fails   | replace equal         | miss -> none                  | W failed -> old
      writer fails   | removeAll of keys     | Ds failed -> none                    | Ds failed -> old
      writer fails   | removeAll             | -> none                       | Ds failed -> old
      writer fails   | iterate and remove    | -> none                       | hit xA D failed -> old
      writer fails   | invoke set            | miss W failed -> none                | hit W failed -> old
      writer fails   | invoke remove         | miss D failed -> none                | hit D failed -> old
      writer fails   | invokeAll set         | miss W failed -> none                | hit W failed -> old
      """;

  private final Observer observer = new Observer();
  private final CacheManager manager = managerOver(MemoryEngine.builder().build());

  @AfterEach
  void closeManager() {
    manager.close();
  }

  static Stream<Arguments> cells() {
    return TABLE
        .lines()
        .map(line -> line.split("\\|"))
        .flatMap(
            row ->
                Stream.of(
                    arguments(row[0].strip(), row[1].strip(), "absent", row[2]),
                    arguments(row[0].strip(), row[1].strip(), "present", row[3])));
  }

  private void misbehave(String how) {
    switch (how) {
      case "creation zero" -> observer.policy.creation(Duration.ZERO);
      case "update zero" -> observer.policy.update(Duration.ZERO);
      case "access zero" -> observer.policy.access(Duration.ZERO);
      case "policy fails" -> observer.policy.failing(true);
      case "no update" -> observer.policy.update(null);
      case "loader fails" -> observer.loader.failing(true);
      case "writer fails" -> observer.writer.failing(true);
      default -> throw new IllegalArgumentException(how);
    }
  }

  @ParameterizedTest(name = "{0}: {1}, {2}")
  @MethodSource("cells")
  void cell(String misbehaviour, String operation, String presence, String cell) {
    Cache<String, String> cache =
        manager.createCache(
            "c",
            new MutableConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setStatisticsEnabled(true)
                .setExpiryPolicyFactory(() -> observer.policy)
                .setCacheLoaderFactory(() -> observer.loader)
                .setReadThrough(true)
                .setCacheWriterFactory(() -> observer.writer)
                .setWriteThrough(true)
                .addCacheEntryListenerConfiguration(
                    new MutableCacheEntryListenerConfiguration<>(
                        () -> observer.listener, null, true, true)));
    if (presence.equals("present")) {
      cache.put(Operations.KEY, Operations.OLD);
    }
    misbehave(misbehaviour);
    assertThat(Happening.of(operation, cache, observer))
        .isEqualTo(Happening.parse(cell, call -> true));
  }
}
