package io.rockpool.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Servers, connections and processes that fail while backups are made and restored. */
@Slow
@Timeout(600)
final class S3FaultTest {
  private static final Logger LOG = LoggerFactory.getLogger(S3FaultTest.class);
  private static final int KILLS = Rounds.of(3, 60);

  /** Values before each backup of a run. Those before the third are an upload of several parts. */
  private static final List<Integer> VALUES_OF_BACKUPS = List.of(20, 20, 140, 20);

  /** Several stores take turns; new ones replace them before they are large and slow. */
  private static final int STORES = 5;

  private static final int ROUNDS_OF_STORES = 20;

  private static final int LARGE = 2 * S3Upload.PART_BYTES + 5;

  @TempDir Path parent;
  private S3Server server;

  @BeforeEach
  void startServer() throws Exception {
    server = S3Server.start(parent.resolve("server"));
  }

  @AfterEach
  void endServer() throws Exception {
    server.close();
  }

  private static PersistentMap<Integer, byte[]> map(Rockpool pool) {
    return pool.map("map", Integer.class, byte[].class);
  }

  /** Values of 64 KiB that do not compress. */
  private static void fill(Rockpool pool, int from, int to) {
    for (int key = from; key < to; key++) {
      map(pool).put(key, value(key));
    }
  }

  private static byte[] value(int key) {
    byte[] value = new byte[64 << 10];
    new Random(key).nextBytes(value);
    return value;
  }

  /** The first keys have their values, and there is nothing else. */
  private static void assertModel(PersistentMap<Integer, byte[]> map, int size) {
    assertThat(map).hasSize(size);
    for (int key = 0; key < size; key++) {
      assertThat(map.get(key)).as("%d of %d", key, size).isEqualTo(value(key));
    }
  }

  private void assertRestored(int size) throws IOException {
    Path directory = parent.resolve("restored-" + System.nanoTime());
    StoreBackups.restore(server.target("shop"), directory);
    try (Rockpool pool = Rockpool.open(directory)) {
      assertModel(map(pool), size);
      assertThat(pool.verify().isClean()).isTrue();
    }
    deleteAll(directory);
  }

  private static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  @Test
  void aServerThatIsBusyForAMomentIsAskedAgain() throws Exception {
    try (FaultyLink link = new FaultyLink(server.port());
        Rockpool pool = Rockpool.open(parent.resolve("store"))) {
      fill(pool, 0, 20);
      S3Target target = S3Server.target(S3Server.uri("shop", link.port()));
      link.busyAnswers.set(2);
      pool.backups().make(target);
      assertThat(link.busyAnswers).hasValue(0);
    }
    assertRestored(20);
  }

  @Test
  void readsThatBreakOffAreContinued() throws Exception {
    byte[] content = new byte[LARGE];
    new Random(2).nextBytes(content);
    try (FaultyLink link = new FaultyLink(server.port())) {
      S3Target target = S3Server.target(S3Server.uri("shop", link.port()));
      try (Closeable lock = target.lock(BackupTarget.BACKUPS)) {
        target.put("files/a", content.length, new ByteArrayInputStream(content));
      }
      link.maxBytesDown = LARGE / 5;
      S3Target reader = S3Server.target(S3Server.uri("shop", link.port()));
      try (InputStream in = reader.get("files/a")) {
        assertThat(in.readAllBytes()).isEqualTo(content);
      }
      assertThat(link.broken.get()).isGreaterThanOrEqualTo(4);
      try (InputStream in = reader.get("files/a")) {
        link.maxBytesDown = 0;
        assertThatIOException().isThrownBy(in::readAllBytes);
      }
    }
  }

  /** A server that refuses a head may close the connection; content would meet a closed one. */
  @Test
  void aRequestThatTestsConditionsHasNoContent() throws Exception {
    try (FaultyLink link = new FaultyLink(server.port())) {
      S3Target target = S3Server.target(S3Server.uri("shop", link.port()));
      link.earlyRefusals.set(20);
      for (int request = 0; request < 20; request++) {
        assertThat(target.objects().putIf(null, "locks/backups", "")).isNull();
      }
      assertThat(link.refused)
          .hasSize(20)
          .allMatch(head -> head.contains("If-None-Match: *\r\n"))
          .allMatch(head -> head.contains("Content-Length: 0\r\n"));
    }
  }

  @Test
  void anUploadThatBreaksOffStoresNothingAndIsRepeated() throws Exception {
    try (FaultyLink link = new FaultyLink(server.port());
        Rockpool pool = Rockpool.open(parent.resolve("store"))) {
      fill(pool, 0, 200);
      S3Target target = S3Server.target(S3Server.uri("shop", link.port()));
      link.maxBytesUp = 4 << 20;
      assertThatExceptionOfType(StoreIoException.class)
          .isThrownBy(() -> pool.backups().make(target));
      assertThat(link.broken.get()).isPositive();
      link.maxBytesUp = Long.MAX_VALUE;
      assertThat(StoreBackups.list(target)).isEmpty();
      pool.backups().make(target);
    }
    assertRestored(200);
  }

  @Test
  void aServerThatDiesAndComesBack() throws Exception {
    try (Rockpool pool = Rockpool.open(parent.resolve("store"))) {
      S3Target target = server.target("shop");
      fill(pool, 0, 20);
      Shipping shipping =
          pool.backups().ship(target, ShippingOptions.defaults().interval(Duration.ofMillis(300)));
      server.kill();
      fill(pool, 20, 40);
      assertThatExceptionOfType(StoreIoException.class)
          .isThrownBy(() -> pool.backups().make(target))
          .withMessageContaining("s3://bucket/shop");
      Thread.sleep(S3Server.LEASE.toMillis() + 1_000); // the lock of the log cannot be renewed
      server.begin();
      Instant back = Instant.now();
      while (shipping.until().isBefore(back)) {
        Thread.sleep(50);
      }
      try (Rockpool past = StoreBackups.open(target, back)) {
        assertThat(map(past)).hasSize(40);
      }
      pool.backups().make(target);
    }
    assertRestored(40);
  }

  @Test
  void aServerThatDoesNotAnswerIsReportedInTime() throws Exception {
    S3Target target = server.target("shop");
    try (Rockpool pool = Rockpool.open(parent.resolve("store"))) {
      fill(pool, 0, 5);
      pool.backups().make(target);
      signal("STOP", server.pid());
      long begun = System.nanoTime();
      assertThatExceptionOfType(StoreIoException.class)
          .isThrownBy(() -> pool.backups().make(target));
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMinutes(1));
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(CancellationException.class)
          .isThrownBy(() -> pool.backups().make(target));
      assertThat(Thread.interrupted()).isTrue();
      signal("CONT", server.pid());
      pool.backups().make(target);
    }
    assertRestored(5);
  }

  private static void signal(String name, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor()).isZero();
  }

  /** A process that makes backups and says what it puts and deletes, until it is killed. */
  static final class Saver {
    private Saver() {}

    public static void main(String[] arguments) throws Exception {
      int port = Integer.parseInt(arguments[0]);
      try (Rockpool pool = Rockpool.open(Path.of(arguments[1]))) {
        BackupTarget target =
            new AnnouncingTarget(S3Server.target(S3Server.uri(arguments[2], port)));
        int size = map(pool).size();
        for (int values : VALUES_OF_BACKUPS) {
          fill(pool, size, size + values);
          size += values;
          System.out.println("writes " + size);
          complete(pool, target);
          System.out.println("made " + size);
        }
        System.out.println("ends");
      }
    }
  }

  /**
   * When a process is killed: at an object that it puts or deletes, or at the first of the next
   * backup if this one has fewer.
   *
   * @param backup the backup of the process, from 1
   * @param step the object of this backup, from 1
   * @param delayMillis so long after the beginning of the step
   */
  private record Moment(int backup, int step, int delayMillis) {
    static final Moment NEVER = new Moment(Integer.MAX_VALUE, 0, 0);

    boolean hasCome(int backups, int steps) {
      return backups + 1 > backup || (backups + 1 == backup && steps >= step);
    }
  }

  /**
   * What a process did before it was killed or ended.
   *
   * @param stepsOfBackups the number of steps of each backup that it made
   * @param made the size of the map in the last of them
   * @param largest the length of the largest file that it put
   * @param place where it was killed; null if it ended before
   */
  private record Said(
      List<Integer> stepsOfBackups, int made, long largest, @Nullable String place) {}

  /** Runs a process that makes backups until it ends or its moment has come. */
  private Said run(String prefix, Path store, Moment moment) throws Exception {
    List<Integer> stepsOfBackups = new ArrayList<>();
    int steps = 0;
    int made = 0;
    long largest = 0;
    String place = null;
    boolean isAtEnd = false;
    try (Child saver = Child.start(Saver.class, List.of(), server.port(), store, prefix)) {
      for (String line = saver.readLine(); line != null; line = saver.readLine()) {
        if (line.startsWith("puts ") || line.startsWith("deletes ")) {
          steps++;
          if (line.startsWith("puts files/")) {
            largest = Math.max(largest, Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)));
          }
          if (place == null && moment.hasCome(stepsOfBackups.size(), steps)) {
            Thread.sleep(moment.delayMillis());
            saver.kill();
            place = "backup " + (stepsOfBackups.size() + 1) + ", " + line.replaceAll("/.*", "");
          }
        } else if (line.matches("made \\d+0")) {
          stepsOfBackups.add(steps);
          steps = 0;
          made = Integer.parseInt(line.substring(5));
        } else if (line.equals("ends")) {
          isAtEnd = true;
        }
      }
    }
    assertThat(place != null || isAtEnd).as("it failed after %s", stepsOfBackups).isTrue();
    return new Said(stepsOfBackups, made, largest, isAtEnd ? null : place);
  }

  /** Makes a backup. On a busy machine the short lease of the tests may end before its renewal. */
  private static void complete(Rockpool pool, BackupTarget target) {
    for (int rest = 5; ; rest--) {
      try {
        pool.backups().make(target, BackupOptions.defaults().keep(2).takeOver(true));
        return;
      } catch (StoreIoException e) {
        if (rest == 0 || !String.valueOf(e.getMessage()).contains("could not be renewed in time")) {
          throw e;
        }
        LOG.warn("The lease ended; the backup is repeated.");
      }
    }
  }

  @Test
  @Timeout(7_200) // a long run has 60 rounds
  void backupsOfKilledProcesses() throws Exception {
    long seed = Long.getLong("rockpool.test.seed", System.nanoTime());
    Random random = new Random(seed);
    LOG.info("Seed {}", seed);
    // The second process deletes older backups, as all later ones do.
    Said unused = run("shop", parent.resolve("first"), Moment.NEVER);
    Said whole = run("shop", parent.resolve("second"), Moment.NEVER);
    assertThat(whole.largest()).as("a file of several parts").isGreaterThan(S3Upload.PART_BYTES);
    List<Integer> steps = whole.stepsOfBackups();
    Map<String, Integer> places = new TreeMap<>();
    int backups = 0;
    for (int round = 0; round < KILLS; round++) {
      int generation = round / ROUNDS_OF_STORES;
      Path store = parent.resolve("store-" + generation + "-" + round % STORES);
      // One of as many equal parts of a run as there are rounds, so that all of it has its kills.
      double part = (round + random.nextDouble()) * steps.size() / KILLS;
      int backup = (int) part;
      int step = 1 + (int) ((part - backup) * steps.get(backup));
      Said said = run("shop", store, new Moment(backup + 1, step, random.nextInt(30)));
      places.merge(said.place() == null ? "ended before" : said.place(), 1, Integer::sum);
      backups += said.stepsOfBackups().size();
      S3Target target = server.target("shop");
      if (said.made() > 0) {
        try (Rockpool past = StoreBackups.open(target)) {
          assertThat(map(past).size()).isGreaterThanOrEqualTo(said.made());
          assertModel(map(past), map(past).size());
        }
      }
      try (Rockpool pool = Rockpool.open(store)) {
        int size = map(pool).size();
        complete(pool, target); // waits for the lease of the dead
        assertRestored(size);
      }
      assertThat(target.objects().abortAll("")).as("incomplete uploads").isZero();
    }
    LOG.info(
        "{} processes made {} backups; {} more were made after them, and restored. Of {} steps,"
            + " they were killed at {}",
        KILLS,
        backups,
        KILLS,
        steps,
        places);
    for (int backup = 1; backup <= VALUES_OF_BACKUPS.size() && KILLS >= 20; backup++) {
      assertThat(places.keySet().toString()).contains("backup " + backup);
    }
    FaultLog.write(
        FaultLog.Kind.RESTORE,
        "A process that makes backups in S3 is killed",
        KILLS,
        Long.toString(seed),
        FaultLog.number(backups) + " backups are complete or not there; no upload is left",
        "nothing");
  }

  /** A process that has the lock and uses it when it is told. */
  static final class Locker {
    private Locker() {}

    public static void main(String[] arguments) throws Exception {
      S3Target target = S3Server.target(S3Server.uri("shop", Integer.parseInt(arguments[0])));
      Closeable lock = target.lock(BackupTarget.BACKUPS);
      System.out.println("locked");
      int unused = System.in.read();
      try {
        target.put("files/late", 1, new ByteArrayInputStream(new byte[1]));
        System.out.println("put");
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
      lock.close();
    }
  }

  @Test
  void aProcessThatWasAwayTooLongHasLostItsLock() throws Exception {
    S3Target target = server.target("shop");
    try (Child locker = Child.start(Locker.class, List.of(), server.port())) {
      assertThat(locker.readLine()).isEqualTo("locked");
      Thread.sleep(2 * S3Server.LEASE.toMillis()); // it renews the lock
      assertThatExceptionOfType(StoreLockedException.class)
          .isThrownBy(() -> target.lock(BackupTarget.BACKUPS))
          .withMessageContaining(locker.pid() + "@");
      locker.stop();
      try (Closeable lock = target.lock(BackupTarget.BACKUPS)) {
        locker.goOn();
        locker.release();
        assertThat(locker.readLine()).contains("the lock locks/backups was lost");
        locker.waitFor();
        target.put("files/mine", 1, new ByteArrayInputStream(new byte[1]));
        assertThat(target.list("files/")).containsOnlyKeys("files/mine");
      }
    }
  }
}
