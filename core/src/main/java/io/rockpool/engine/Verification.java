package io.rockpool.engine;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ShownKey;
import io.rockpool.error.UndecodableValueException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@link Engine#verify}: gathers what engines and the layers above find, tells how far
 * it is, and knows when to stop. For one thread.
 */
public final class Verification {
  private final VerifyOptions options;
  private final Map<Place, Finding> findings = new LinkedHashMap<>();
  private String part = "";
  private long done;
  private long expected;
  private long spaces;
  private long records;
  private long files;
  private boolean stopped;

  private record Place(FindingKind kind, String space) {}

  /** A run that has found nothing yet. */
  public Verification(VerifyOptions options) {
    this.options = options;
  }

  /** Begins another part, with about so many records or files; says whether to go on. */
  public boolean begin(String name, long about) {
    part = name;
    done = 0;
    expected = about;
    return goesOn();
  }

  /** Notes a space that is looked at. */
  public void space() {
    spaces++;
  }

  /** Notes a record that was looked at; says whether to go on. */
  public boolean record() {
    records++;
    done++;
    return done % VerifyOptions.PROGRESS_RECORDS != 0 || goesOn();
  }

  /** Notes a file that was looked at; says whether to go on. */
  public boolean file() {
    files++;
    done++;
    return goesOn();
  }

  private boolean goesOn() {
    if (!stopped) {
      options.onProgress().accept(new VerifyProgress(part, done, Math.max(done, expected)));
      stopped = Thread.currentThread().isInterrupted() || options.stopWhen().getAsBoolean();
    }
    return !stopped;
  }

  /** Whether it was asked to stop. */
  public boolean isStopped() {
    return stopped;
  }

  /** Adds something that is wrong; {@code key} as {@link ShownKey} shows it. */
  public void add(FindingKind kind, String space, String key, String detail) {
    String plain = detail.endsWith(".") ? detail.substring(0, detail.length() - 1) : detail;
    findings.merge(
        new Place(kind, space),
        new Finding(kind, space, key, 1, plain),
        (first, next) -> new Finding(kind, space, first.key(), first.count() + 1, first.detail()));
  }

  /** Begins the check of a space; null where there is nothing to check, or it cannot be. */
  public RecordChecks.@Nullable RecordCheck begin(
      RecordChecks checks, SpaceInfo space, SpaceView view) {
    try {
      return checks.begin(
          space,
          view,
          (kind, hashKey, sortKey, detail) ->
              add(kind, space.name(), ShownKey.of(hashKey, sortKey), detail));
    } catch (RuntimeException e) {
      add(space.name(), "", e);
      return null;
    }
  }

  /** Shows a record of a space to its check, and adds what that throws. */
  public void check(
      String space, RecordChecks.RecordCheck check, RowRecord record, boolean counted) {
    try {
      check.check(record, counted);
    } catch (RuntimeException e) {
      add(space, ShownKey.of(record.hashKey(), record.sortKey()), e);
    }
  }

  /** Ends the check of a space, and adds what that throws. */
  public void end(String space, RecordChecks.RecordCheck check) {
    try {
      check.end();
    } catch (RuntimeException e) {
      add(space, "", e);
    }
  }

  private void add(String space, String key, RuntimeException e) {
    if (e instanceof CorruptStoreException) {
      add(FindingKind.BROKEN_STRUCTURE, space, key, String.valueOf(e.getMessage()));
    } else if (e instanceof UndecodableValueException) {
      add(FindingKind.UNDECODABLE_VALUE, space, key, String.valueOf(e.getMessage()));
    } else {
      // A codec of a user's; what it says might show the value.
      String detail = "its codec threw a " + e.getClass().getName();
      add(FindingKind.UNDECODABLE_VALUE, space, key, detail);
    }
  }

  /** What has been found up to now. */
  public VerifyReport report(String description) {
    List<Finding> all = new ArrayList<>(findings.values());
    return new VerifyReport(description, !stopped, spaces, records, files, all);
  }
}
