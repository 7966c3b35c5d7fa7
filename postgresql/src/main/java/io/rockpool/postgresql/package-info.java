/**
 * Caches and collections on a PostgreSQL server: {@link
 * io.rockpool.postgresql.PostgresEngine#open(javax.sql.DataSource,
 * io.rockpool.postgresql.PostgresOptions)} opens the engine, {@code Rockpool.over} a store on it.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.postgresql;

import org.jspecify.annotations.NullMarked;
