package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.SlimProgram;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application that excludes {@code rocksdbjni} uses caches and collections in a database. */
@Timeout(120)
final class WithoutRocksDbOnPostgresTest {
  @Test
  void noClassNeedsIt() throws Exception {
    assertThat(SlimProgram.loads(PostgresEngine.class)).isEmpty();
  }

  @Test
  @Needs(Tool.POSTGRESQL)
  void cachesAndCollectionsWork() throws Exception {
    String schema = PostgresServer.newSchema();
    String url = PostgresServer.running().url().replaceFirst("^jdbc:", "");
    try {
      assertThat(SlimProgram.uses(url + (url.contains("?") ? "&" : "?") + "schema=" + schema))
          .isEqualTo("1 2c");
    } finally {
      PostgresServer.running().execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
    }
  }
}
