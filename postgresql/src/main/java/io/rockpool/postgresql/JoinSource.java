package io.rockpool.postgresql;

import io.rockpool.Rockpool;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The {@code DataSource} whose transactions operations join: the one of the store, or else the
 * application's only one, if it is on the same database. Thread-safe.
 */
final class JoinSource {
  private final ObjectProvider<DataSource> sources;
  private final ObjectProvider<Rockpool> pool;
  private final ObjectProvider<PlatformTransactionManager> managers;
  private volatile @Nullable DataSource found;

  JoinSource(
      ObjectProvider<DataSource> sources,
      ObjectProvider<Rockpool> pool,
      ObjectProvider<PlatformTransactionManager> managers) {
    this.sources = sources;
    this.pool = pool;
    this.managers = managers;
  }

  /**
   * Returns it; the first call opens the store.
   *
   * @throws InvalidConfigurationPropertyValueException if there is none
   */
  DataSource get() {
    DataSource known = found;
    if (known == null) {
      known = find(JoinedTransactions.engine(pool.getObject()));
      found = known;
    }
    return known;
  }

  private DataSource find(PostgresEngine engine) {
    DataSource own = engine.source();
    List<DataSource> bound = bound();
    if (bound.contains(own)
        || (bound.isEmpty()
            && sources.stream().anyMatch(source -> DirectSource.of(source) == own))) {
      return own;
    }
    DataSource only = sources.getIfUnique();
    if (only == null) {
      throw refusal(
          "No transaction manager is on the DataSource of the store. Declare a manager on it, or a"
              + " bean EngineFactory with PostgresEngine.factory(dataSource of a manager).");
    }
    DataSource direct = DirectSource.of(only);
    try (Connection connection = direct.getConnection()) {
      engine.sameDatabase().check(connection);
    } catch (SQLException e) {
      throw PostgresDatabase.failure("Checking the DataSource of the application", e);
    } catch (IllegalStateException e) {
      throw refusal(
          "The store is in another database than the DataSource of the application, so no"
              + " transaction would be joined. Leave out rockpool.uri, or declare a bean EngineFactory"
              + " and a transaction manager on one DataSource.");
    }
    return direct;
  }

  /** Refuses at the start what would silently be two commits. */
  void check() {
    if (pool.stream().findAny().isEmpty()) {
      return;
    }
    DataSource source;
    try {
      source = get();
    } catch (IllegalArgumentException e) {
      throw refusal("The store is not on PostgreSQL. Set rockpool.engine=postgresql.");
    }
    List<DataSource> bound = bound();
    if (!bound.isEmpty() && !bound.contains(source)) {
      throw refusal(
          "No transaction manager is on the DataSource of the store, so no transaction would be"
              + " joined. Declare a manager on it, or open the store on the DataSource of a manager"
              + " with a bean EngineFactory.");
    }
  }

  private List<DataSource> bound() {
    List<DataSource> bound = new ArrayList<>();
    managers.forEach(
        manager -> {
          DataSource source = sourceOf(manager);
          if (source != null) {
            bound.add(source);
          }
        });
    return bound;
  }

  /** The connections that a manager binds; null if it does not say. */
  private static @Nullable DataSource sourceOf(PlatformTransactionManager manager) {
    BeanWrapperImpl bean = new BeanWrapperImpl(manager);
    return bean.isReadableProperty("dataSource")
            && bean.getPropertyValue("dataSource") instanceof DataSource source
        ? source
        : null;
  }

  private static InvalidConfigurationPropertyValueException refusal(String reason) {
    return new InvalidConfigurationPropertyValueException(
        PostgresAutoConfiguration.JOIN, true, reason);
  }
}
