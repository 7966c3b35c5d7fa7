/**
 * Caches and collections on a PostgreSQL server: {@code Rockpool.at(URI)} with {@code
 * postgresql://host/database}, or {@link io.rockpool.postgresql.PostgresEngine#factory} with a
 * {@code DataSource}.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.postgresql;

import org.jspecify.annotations.NullMarked;
