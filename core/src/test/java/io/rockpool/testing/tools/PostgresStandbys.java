package io.rockpool.testing.tools;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Standbys of PostgreSQL servers. */
public final class PostgresStandbys {
  private PostgresStandbys() {}

  /** Starts a standby of a server. */
  public static PostgresProcess start(PostgresProcess primary, String... options)
      throws IOException {
    PostgresProcess standby = new PostgresProcess();
    follow(standby, primary, options);
    return standby;
  }

  /** Makes a server that is not running a standby of another, with a new copy of its data. */
  public static void follow(PostgresProcess standby, PostgresProcess primary, String... options)
      throws IOException {
    Processes.delete(Path.of(standby.data()));
    String program = Tool.PG_BASEBACKUP.program().toString();
    String from = "host=127.0.0.1 user=rockpool port=" + primary.port();
    Processes.run(
        Processes.unprivileged(
            List.of(program, "-D", standby.data(), "-d", from, "-R", "-c", "fast")),
        standby.log());
    standby.restart(options);
  }
}
