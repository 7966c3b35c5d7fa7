package io.rockpool.postgresql;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.StoreClosedException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names of a store and their spaces. Its changes are transactions of a few statements. */
final class PostgresCatalog {
  private static final String DESCRIBED =
      "SELECT i.id, i.name, s.layout, i.attribute_names, i.attribute_values, i.created, i.opened,"
          + " i.resets, s.expires FROM $.space_info i JOIN $.spaces s ON s.id = i.id";
  private static final String AT_OR_BELOW =
      " WHERE ? = '' OR i.name = ? OR starts_with(i.name, ? || '/')";

  private final PostgresDatabase database;
  private final String insert;
  private final String insertInfo;
  private final String find;
  private final String list;
  private final String lockOne;
  private final String lockLevel;
  private final String opened;
  private final String attributes;
  private final String renew;
  private final String replace;
  private final String end;
  private final String forget;

  /** A space that exists. */
  record Known(long id, SpaceInfo info) {}

  private record Named(long id, String name) {}

  PostgresCatalog(PostgresDatabase database) {
    this.database = database;
    insert =
        database.sql(
            "INSERT INTO $.spaces (id, generation, layout, expires)"
                + " VALUES (nextval('$.ids'), nextval('$.ids'), ?, ?) RETURNING id");
    insertInfo =
        database.sql(
            "INSERT INTO $.space_info (name, id, attribute_names, attribute_values, created,"
                + " opened, resets) VALUES (?, ?, ?, ?, ?, ?, 0) ON CONFLICT (name) DO NOTHING");
    find = database.sql(DESCRIBED + " WHERE i.name = ?");
    list = database.sql(DESCRIBED + AT_OR_BELOW + " ORDER BY i.name");
    lockOne = database.sql("SELECT i.id, i.name FROM $.space_info i WHERE i.name = ? FOR UPDATE");
    lockLevel =
        database.sql(
            "SELECT i.id, i.name FROM $.space_info i"
                + AT_OR_BELOW
                + " ORDER BY i.name FOR UPDATE");
    opened = database.sql("UPDATE $.space_info SET opened = ? WHERE id = ?");
    attributes =
        database.sql(
            "UPDATE $.space_info SET attribute_names = ?, attribute_values = ? WHERE name = ?");
    renew = database.sql("SELECT $.renew_space_$(?, ?, ?, ?, ?)");
    replace =
        database.sql(
            "UPDATE $.space_info SET id = ?, attribute_names = ?, attribute_values = ?,"
                + " opened = ?, resets = resets + 1 WHERE name = ?");
    end =
        database.sql(
            "WITH s AS (DELETE FROM $.spaces WHERE id = ? RETURNING generation, layout),"
                + " d AS (INSERT INTO $.dead (generation, layout) SELECT * FROM s)"
                + " INSERT INTO $.changes (origin, space, kind, name) VALUES (?, ?, 2, ?)");
    forget = database.sql("DELETE FROM $.space_info WHERE id = ?");
  }

  Known create(SpaceSpec spec, long nowMillis) {
    return database.settledTransaction(
        "Creating the space \"" + spec.name() + "\"",
        connection -> {
          long id = insert(connection, spec);
          int made =
              Parameters.update(
                  connection,
                  insertInfo,
                  spec.name(),
                  id,
                  names(spec.attributes()),
                  values(spec.attributes()),
                  nowMillis,
                  nowMillis);
          if (made == 0) {
            throw new NameConflictException(
                "The name \""
                    + spec.name()
                    + "\" is taken; open it, reset it, or choose another name. Nothing was changed.",
                spec.name());
          }
          return existing(connection, spec.name(), nowMillis);
        });
  }

  private long insert(Connection connection, SpaceSpec spec) throws SQLException {
    return Parameters.number(
        connection, insert, spec.layout() == Layout.ROWS ? 0 : 1, Expiry.NEVER);
  }

  private Known existing(Connection connection, String name, long nowMillis) throws SQLException {
    Known known = find(connection, name, nowMillis);
    if (known == null) {
      throw new IllegalStateException("The space \"" + name + "\" is not in its own transaction.");
    }
    return known;
  }

  /** Opens a space: records the time. Reads the new description. */
  @Nullable Known open(String name, long nowMillis) {
    try {
      return database.<@Nullable Known>transaction(
          "Opening the space \"" + name + "\"",
          connection -> {
            Known known = find(connection, name, nowMillis);
            if (known != null && known.info.openedMillis() != nowMillis) {
              Parameters.update(connection, opened, nowMillis, known.id);
              known = find(connection, name, nowMillis);
            }
            return known;
          });
    } catch (OutcomeUnknownException e) {
      return find(database, name, nowMillis); // at worst the time of opening is an older one
    }
  }

  @Nullable Known find(Connections connections, String name, long nowMillis) {
    return connections.<@Nullable Known>read(connection -> find(connection, name, nowMillis));
  }

  private @Nullable Known find(Connection connection, String name, long nowMillis)
      throws SQLException {
    List<Known> found = described(connection, find, nowMillis, name);
    return found.isEmpty() ? null : found.get(0);
  }

  List<SpaceInfo> list(Connections connections, String level, long nowMillis) {
    return connections.read(
        connection ->
            described(connection, list, nowMillis, level, level, level).stream()
                .map(Known::info)
                .toList());
  }

  /** All spaces, sorted by name. */
  List<Known> all(Connections connections, long nowMillis) {
    return connections.read(connection -> described(connection, list, nowMillis, "", "", ""));
  }

  private static List<Known> described(
      Connection connection, String sql, long nowMillis, Object... parameters) throws SQLException {
    List<Known> found = new ArrayList<>();
    try (PreparedStatement statement = Parameters.prepare(connection, sql, parameters);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        long expires = result.getLong(9);
        found.add(
            new Known(
                result.getLong(1),
                new SpaceInfo(
                    result.getString(2),
                    result.getInt(3) == 0 ? Layout.ROWS : Layout.ENTRIES,
                    attributes(result.getArray(4), result.getArray(5)),
                    result.getLong(6),
                    result.getLong(7),
                    result.getLong(8),
                    expires <= nowMillis ? Expiry.NEVER : expires)));
      }
    }
    return found;
  }

  private static Map<String, String> attributes(Array names, Array values) throws SQLException {
    String[] keys = (String[]) names.getArray();
    String[] texts = (String[]) values.getArray();
    Map<String, String> attributes = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      attributes.put(keys[i], texts[i]);
    }
    return Map.copyOf(attributes);
  }

  private static String[] names(Map<String, String> attributes) {
    return attributes.keySet().stream().sorted().toArray(String[]::new);
  }

  private static String[] values(Map<String, String> attributes) {
    return attributes.keySet().stream().sorted().map(attributes::get).toArray(String[]::new);
  }

  void setAttributes(String name, Map<String, String> values) {
    int changed =
        database.write(
            "Setting the attributes of \"" + name + "\"",
            connection ->
                Parameters.update(connection, attributes, names(values), values(values), name));
    if (changed == 0) {
      throw unknown(name, "given attributes");
    }
  }

  Known reset(SpaceSpec spec, long nowMillis) {
    Known known = reset(spec, null, nowMillis);
    if (known == null) {
      throw unknown(spec.name(), "reset");
    }
    return known;
  }

  /** Resets a space that has these attributes, or any if null; returns null if there is none. */
  @Nullable Known reset(SpaceSpec spec, @Nullable Map<String, String> attributes, long nowMillis) {
    String name = spec.name();
    return database.<@Nullable Known>settledTransaction(
        "Resetting the space \"" + name + "\"",
        connection -> {
          List<Named> old = lock(connection, lockOne, name);
          if (old.isEmpty()
              || (attributes != null
                  && !existing(connection, name, nowMillis)
                      .info()
                      .attributes()
                      .equals(attributes))) {
            return null;
          }
          long id = insert(connection, spec);
          Parameters.update(
              connection,
              replace,
              id,
              names(spec.attributes()),
              values(spec.attributes()),
              nowMillis,
              name);
          end(connection, old.get(0));
          return existing(connection, name, nowMillis);
        });
  }

  private void end(Connection connection, Named space) throws SQLException {
    Parameters.update(connection, end, space.id, database.origin(), space.id, space.name);
  }

  private static List<Named> lock(Connection connection, String sql, Object... parameters)
      throws SQLException {
    List<Named> locked = new ArrayList<>();
    try (PreparedStatement statement = Parameters.prepare(connection, sql, parameters);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        locked.add(new Named(result.getLong(1), result.getString(2)));
      }
    }
    return locked;
  }

  boolean drop(String name) {
    return drop("Dropping the space \"" + name + "\"", lockOne, name) > 0;
  }

  int dropAll(String level) {
    return drop("Dropping the spaces at \"" + level + "\"", lockLevel, level, level, level);
  }

  private int drop(String what, String lock, Object... parameters) {
    return database.settledTransaction(
        what,
        connection -> {
          List<Named> dropped = lock(connection, lock, parameters);
          for (Named space : dropped) {
            Parameters.update(connection, forget, space.id);
            end(connection, space);
          }
          return dropped.size();
        });
  }

  /**
   * Clears a space, sets its expiry, or does what its expiry demands.
   *
   * @param clear whether to clear it in any case
   * @param expiryMillis the new expiry; null to keep it
   * @throws StoreClosedException if it was dropped or reset
   */
  void renew(long space, String name, long nowMillis, boolean clear, @Nullable Long expiryMillis) {
    renewed(
        name,
        database.<Boolean>write(
            "Clearing the space \"" + name + "\"",
            connection -> renew(connection, space, nowMillis, clear, expiryMillis)));
  }

  /** Clears a space in a transaction if it has expired. */
  void renew(Connection connection, long space, String name, long nowMillis) throws SQLException {
    renewed(name, renew(connection, space, nowMillis, false, null));
  }

  private static void renewed(String name, boolean found) {
    if (!found) {
      throw ended(name);
    }
  }

  private boolean renew(
      Connection connection, long space, long nowMillis, boolean clear, @Nullable Long expiryMillis)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(renew)) {
      statement.setLong(1, space);
      statement.setLong(2, nowMillis);
      statement.setBoolean(3, clear);
      statement.setObject(4, expiryMillis, Types.BIGINT);
      statement.setLong(5, database.origin());
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getBoolean(1);
      }
    }
  }

  static StoreClosedException ended(String name) {
    return new StoreClosedException(
        "The space \""
            + name
            + "\" was dropped or reset after this handle was opened; open it again.");
  }

  private static IllegalArgumentException unknown(String name, String what) {
    return new IllegalArgumentException(
        "The space \""
            + name
            + "\" cannot be "
            + what
            + ": there is none of that name; create it first.");
  }
}
