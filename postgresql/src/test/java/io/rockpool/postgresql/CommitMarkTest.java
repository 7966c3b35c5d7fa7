package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lost transaction is known by its mark, also if the server uses its number again. */
@Needs(Tool.POSTGRESQL)
final class CommitMarkTest {

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private HikariDataSource pool;
  private PostgresDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws Exception {
    pool = server.pool();
    PostgresEngine.open(pool, PostgresOptions.defaults().schema(schema)).close();
    database = new PostgresDatabase(pool, schema);
    connection = pool.getConnection();
    connection.setAutoCommit(false);
  }

  @AfterEach
  void close() throws Exception {
    connection.setAutoCommit(true);
    connection.close();
    pool.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  private WriteOutcome outcome(CommitMark mark) throws SQLException {
    try (Connection other = pool.getConnection()) {
      return mark.outcome(other, database);
    }
  }

  @Test
  void aTransactionIsRunningUntilItsCommit() throws Exception {
    CommitMark mark = CommitMark.add(connection, database);
    assertThat(outcome(mark)).isEqualTo(WriteOutcome.RUNNING);
    connection.commit();
    assertThat(outcome(mark)).isEqualTo(WriteOutcome.APPLIED);
  }

  @Test
  void oneThatWasRolledBackIsNotApplied() throws Exception {
    CommitMark mark = CommitMark.add(connection, database);
    connection.rollback();
    assertThat(outcome(mark)).isEqualTo(WriteOutcome.NOT_APPLIED);
  }

  @Test
  void aNumberThatAnotherTransactionHasUsedIsNotApplied() throws Exception {
    CommitMark mark = CommitMark.add(connection, database);
    connection.commit();
    CommitMark lost = new CommitMark(mark.xid(), mark.token() + 1);
    assertThat(outcome(lost)).isEqualTo(WriteOutcome.NOT_APPLIED);
  }

  @Test
  void aNumberThatIsNotYetUsedIsNotApplied() throws Exception {
    CommitMark mark = CommitMark.add(connection, database);
    connection.commit();
    String later = Long.toString(Long.parseLong(mark.xid()) + 1_000_000);
    assertThat(outcome(new CommitMark(later, mark.token()))).isEqualTo(WriteOutcome.NOT_APPLIED);
  }
}
