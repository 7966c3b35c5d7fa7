package io.rockpool.internal.engine;

import io.rockpool.engine.Engine;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceView;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.store.Finding;
import io.rockpool.store.FindingKind;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyProgress;
import io.rockpool.store.VerifyReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@link Engine#verify}: collects the findings of engines and the layers above, reports
 * progress, and knows when to stop. For one thread.
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

  /** Starts without findings. */
  public Verification(VerifyOptions options) {
    this.options = options;
  }

  /** Begins another part with about {@code about} records or files; returns whether to continue. */
  public boolean begin(String name, long about) {
    part = name;
    done = 0;
    expected = about;
    return goesOn();
  }

  /** Counts a space. */
  public void space() {
    spaces++;
  }

  /** Counts a checked record; returns whether to continue. */
  public boolean record() {
    records++;
    done++;
    return done % VerifyOptions.PROGRESS_RECORDS != 0 || goesOn();
  }

  /** Counts a checked file; returns whether to continue. */
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

  /** Whether the verification was stopped. */
  public boolean isStopped() {
    return stopped;
  }

  /** Adds a defect; {@code key} as {@link ShownKey} shows it. */
  public void add(FindingKind kind, String space, String key, String detail) {
    String plain = detail.endsWith(".") ? detail.substring(0, detail.length() - 1) : detail;
    findings.merge(
        new Place(kind, space),
        new Finding(kind, space, key, 1, plain),
        (first, next) -> new Finding(kind, space, first.key(), first.count() + 1, first.detail()));
  }

  /**
   * Begins the check of a space; null if there is nothing to check, or the check fails to begin.
   */
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

  /** Passes a record of a space to its check; exceptions become findings. */
  public void check(
      String space, RecordChecks.RecordCheck check, RowRecord record, boolean counted) {
    try {
      check.check(record, counted);
    } catch (RuntimeException e) {
      add(space, ShownKey.of(record.hashKey(), record.sortKey()), e);
    }
  }

  /** Ends the check of a space; exceptions become findings. */
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
      // A user's codec: its message might contain the value.
      String detail = "its codec threw a " + e.getClass().getName();
      add(FindingKind.UNDECODABLE_VALUE, space, key, detail);
    }
  }

  /** The findings so far. */
  public VerifyReport report(String description) {
    List<Finding> all = new ArrayList<>(findings.values());
    return new VerifyReport(description, !stopped, spaces, records, files, all);
  }
}
