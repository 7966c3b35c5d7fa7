package io.rockpool.compatibility.machines;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A PostgreSQL server that forces each commit to the disk. */
final class FaultyPostgres extends FaultyServer {
  private final Path programs;

  private FaultyPostgres(Path programs, Path directory) throws IOException {
    super(directory);
    this.programs = programs;
  }

  /** Starts a server; ends the test as not applicable if there is none. */
  static FaultyPostgres create() throws IOException, InterruptedException {
    Path programs = programs();
    // The user of the server may not enter this process's directory for temporary files.
    Path parent = isRoot() ? Path.of("/tmp") : Path.of(System.getProperty("java.io.tmpdir"));
    FaultyPostgres server =
        new FaultyPostgres(programs, Files.createTempDirectory(parent, "rockpool-postgres"));
    server.initialize();
    server.start();
    return server;
  }

  /** Starts a standby of a server, which then acknowledges what both have. */
  static FaultyPostgres standbyOf(FaultyPostgres primary) throws IOException, InterruptedException {
    Path parent = primary.directory().getParent();
    FaultyPostgres standby =
        new FaultyPostgres(
            primary.programs, Files.createTempDirectory(parent, "rockpool-postgres"));
    if (isRoot()) {
      standby.run(List.of("chown", "nobody", standby.directory().toString()));
    }
    standby.follow(primary);
    return standby;
  }

  /** Becomes a standby of a server, with a new copy of its data. */
  void follow(FaultyPostgres primary) throws IOException, InterruptedException {
    delete(Path.of(data()));
    run(
        asUser(
            "pg_basebackup",
            List.of(
                "-D",
                data(),
                "-d",
                "host=127.0.0.1 user=rockpool port=" + primary.port(),
                "-R",
                "-c",
                "fast")));
    start();
    primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
    primary.execute("SELECT pg_reload_conf()");
    await(
        "the standby is synchronous",
        () -> "sync".equals(primary.text("SELECT sync_state FROM pg_stat_replication")));
  }

  /** Makes a standby the primary. */
  void promote() throws IOException {
    execute("SELECT pg_promote()");
    await("the standby is promoted", () -> "f".equals(text("SELECT pg_is_in_recovery()")));
  }

  /** Ends it as an operator does: it sends all to its standby before. */
  void shutDown() throws IOException {
    end("INT");
  }

  /** Runs a statement. */
  void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** The first column of the first row; null if there is none. */
  @Nullable String text(String sql) {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? result.getString(1) : null;
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  private static Path programs() throws IOException {
    Path all = Path.of("/usr/lib/postgresql");
    Assumptions.assumeTrue(Files.isDirectory(all), "PostgreSQL is not installed");
    try (Stream<Path> versions = Files.list(all)) {
      List<Path> found =
          versions
              .map(version -> version.resolve("bin"))
              .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
              .sorted(Comparator.reverseOrder())
              .toList();
      Assumptions.assumeFalse(found.isEmpty(), "PostgreSQL's initdb is not installed");
      return found.get(0);
    }
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** The server refuses to run as root. */
  private List<String> asUser(String program, List<String> arguments) {
    List<String> all = new ArrayList<>();
    if (isRoot()) {
      all.addAll(List.of("setpriv", "--reuid=nobody", "--clear-groups"));
    }
    all.add(programs.resolve(program).toString());
    all.addAll(arguments);
    return all;
  }

  private String data() {
    return directory().resolve("data").toString();
  }

  private void initialize() throws IOException, InterruptedException {
    if (isRoot()) {
      run(List.of("chown", "nobody", directory().toString()));
    }
    run(
        asUser(
            "initdb",
            List.of("-D", data(), "-U", "rockpool", "-A", "trust", "-E", "UTF8", "--no-locale")));
  }

  private void run(List<String> command) throws IOException, InterruptedException {
    Path log = Files.createTempFile("rockpool-postgres", ".log");
    Process done =
        new ProcessBuilder(command)
            .directory(directory().toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (done.waitFor() != 0) {
      throw new IOException(command + " failed: " + Files.readString(log));
    }
    Files.delete(log);
  }

  @Override
  public URI uri(int at) {
    return URI.create("postgresql://rockpool@127.0.0.1:" + at + "/postgres?schema=machines");
  }

  private String url() {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres?user=rockpool";
  }

  @Override
  List<String> command() {
    List<String> all = new ArrayList<>(List.of("-D", data(), "-p", "" + port()));
    for (String option :
        List.of(
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=200",
            "synchronous_commit=on")) {
      all.add("-c");
      all.add(option);
    }
    return asUser("postgres", all);
  }

  @Override
  boolean answers() {
    try (Connection connection = DriverManager.getConnection(url())) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  /** The last statement of a feed's connection has the snapshot of what was seen. */
  @Override
  void endFeeds() {
    execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            + " AND (query LIKE '%pg_visible_in_snapshot%' OR query LIKE 'LISTEN%')");
  }
}
