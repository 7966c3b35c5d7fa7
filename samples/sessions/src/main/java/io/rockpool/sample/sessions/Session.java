package io.rockpool.sample.sessions;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is known of a user between logging in and out. How long it lives is not in it: that is its
 * entry's time to live.
 *
 * @param id by which it is found; it cannot be guessed
 * @param user whose it is
 * @param began when the user logged in
 * @param attributes what the user's clicks have left in it, by name
 */
public record Session(String id, String user, Instant began, Map<String, String> attributes) {
  /** Copies the attributes. */
  public Session {
    attributes = Map.copyOf(attributes);
  }

  Session with(String name, String value) {
    Map<String, String> changed = new TreeMap<>(attributes);
    changed.put(name, value);
    return new Session(id, user, began, changed);
  }
}
