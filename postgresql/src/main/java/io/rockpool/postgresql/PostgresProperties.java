package io.rockpool.postgresql;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** The properties {@code rockpool.postgresql.*}. */
@ConfigurationProperties("rockpool.postgresql")
public final class PostgresProperties {
  /** The schema that holds the store, if the engine is postgresql; "rockpool" by default. */
  private String schema = PostgresOptions.DEFAULT_SCHEMA;

  /**
   * Connections of the store's own pool; by default as many as the application's HikariCP pool may
   * have. With 0, the store uses the application's pool.
   */
  private @Nullable Integer poolSize;

  /** Whether operations join the application's transactions, so that both are one commit. */
  private boolean joinTransactions;

  /** As Boot creates them. */
  public PostgresProperties() {}

  /** {@return the schema that holds the store} */
  public String getSchema() {
    return schema;
  }

  /**
   * Sets the schema.
   *
   * @param schema as of {@link PostgresOptions#schema}
   */
  public void setSchema(String schema) {
    this.schema = schema;
  }

  /** {@return the connections of the store's own pool; null for as many as the application's} */
  public @Nullable Integer getPoolSize() {
    return poolSize;
  }

  /**
   * Sets the size of the store's own pool.
   *
   * @param poolSize connections; 0 to use the application's pool
   */
  public void setPoolSize(@Nullable Integer poolSize) {
    this.poolSize = poolSize;
  }

  /** {@return whether operations join the application's transactions} */
  public boolean isJoinTransactions() {
    return joinTransactions;
  }

  /**
   * Sets whether operations join the application's transactions.
   *
   * @param joinTransactions true to join them
   */
  public void setJoinTransactions(boolean joinTransactions) {
    this.joinTransactions = joinTransactions;
  }
}
