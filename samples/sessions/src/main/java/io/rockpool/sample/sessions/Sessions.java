package io.rockpool.sample.sessions;

import io.rockpool.Rockpool;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Keeps sessions. Each command is a process of its own, so that nothing but the disk connects them.
 */
@Command(
    name = "sessions",
    description = "Keeps the sessions of users, which end when nobody asks for them for a while.")
public final class Sessions {
  private static final int NO_SUCH_SESSION = 1;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where the sessions are kept (default: ${DEFAULT-VALUE}).")
  private Path directory = Path.of("sample-data", "sessions");

  @Option(
      names = "--idle",
      paramLabel = "DURATION",
      description = "How long a session lives that nobody asks for (default: ${DEFAULT-VALUE}).")
  private Duration idle = Duration.ofMinutes(30);

  @SuppressWarnings("unused") // picocli reads it before a command is reached
  @Option(names = "--help", usageHelp = true, description = "Say this and do nothing.")
  private boolean help;

  private Sessions() {}

  /**
   * Runs one command and ends the JVM with its exit code: 1 if there is no such session.
   *
   * @param args see {@code --help}
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Sessions()).execute(args));
  }

  @Command(description = "Begins a session.")
  int login(@Parameters(paramLabel = "USER") String user) {
    return with(
        store -> {
          Session session = store.login(user);
          say("%s is logged in: session %s.", user, session.id());
          say("It ends when nobody asks for it for %s.", words(idle));
          return 0;
        });
  }

  @Command(description = "Shows a session, which is an access: it lives on.")
  int show(@Parameters(paramLabel = "ID") String id) {
    return with(store -> show(id, store.access(id)));
  }

  @Command(description = "Sets an attribute of a session, which is an access, too.")
  int set(
      @Parameters(paramLabel = "ID") String id,
      @Parameters(paramLabel = "NAME") String name,
      @Parameters(paramLabel = "VALUE") String value) {
    return with(store -> show(id, store.set(id, name, value)));
  }

  @Command(description = "Lists the open sessions, which is no access.")
  int list() {
    return with(
        store -> {
          List<Session> open =
              store
                  .open()
                  .sorted(Comparator.comparing(Session::user).thenComparing(Session::began))
                  .toList();
          for (Session session : open) {
            Duration left = store.timeLeft(session.id()).orElse(Duration.ZERO);
            say("%s  %s, ends in %s.", session.id(), session.user(), words(left));
          }
          say(open.size() == 1 ? "1 session is open." : "%d sessions are open.", open.size());
          return 0;
        });
  }

  @Command(description = "Ends a session.")
  int logout(@Parameters(paramLabel = "ID") String id) {
    return with(
        store -> {
          if (!store.logout(id)) {
            return ended(id);
          }
          say("The session %s has ended.", id);
          return 0;
        });
  }

  @Command(description = "Lets many visitors log in and fill their carts at once: kill it midway.")
  int crowd(
      @Option(names = "--visitors", paramLabel = "N", defaultValue = "3") int visitors,
      @Option(names = "--things", paramLabel = "N", defaultValue = "5") int things) {
    return with(
        store -> {
          new Crowd(store, things).visit(visitors);
          return 0;
        });
  }

  /** Opens the store for one command. */
  private int with(ToIntFunction<SessionStore> command) {
    try (Rockpool pool = Rockpool.open(directory)) {
      return command.applyAsInt(new SessionStore(pool, InstantSource.system(), idle));
    }
  }

  private int show(String id, Optional<Session> found) {
    if (found.isEmpty()) {
      return ended(id);
    }
    Session session = found.get();
    say(
        "%s, logged in at %s, ends in %s: %s",
        session.user(), session.began(), words(idle), session.attributes());
    return 0;
  }

  private static int ended(String id) {
    say("There is no session %s, or it has ended; log in.", id);
    return NO_SUCH_SESSION;
  }

  private static String words(Duration duration) {
    return duration.toMinutes() > 0
        ? duration.toMinutes() + " min"
        : Math.max(0, duration.toSeconds()) + " s";
  }

  private static void say(String format, Object... arguments) {
    System.out.printf(Locale.ROOT, format + "%n", arguments);
  }
}
