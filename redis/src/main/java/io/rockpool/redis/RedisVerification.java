package io.rockpool.redis;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.internal.engine.Verification;
import io.rockpool.store.VerifyReport;

/** Shows all records of an engine to checks. */
final class RedisVerification {
  private RedisVerification() {}

  static VerifyReport run(RedisEngine engine, Verification run, RecordChecks checks) {
    for (SpaceInfo info : engine.list("")) {
      Space space = engine.openForUpkeep(info.name());
      run.space();
      if (space != null && run.begin(info.name(), 0)) {
        verify(info, space, run, checks);
      }
    }
    return run.report(engine.description());
  }

  private static void verify(SpaceInfo info, Space space, Verification run, RecordChecks checks) {
    RecordChecks.RecordCheck check = run.begin(checks, info, space);
    try (Cursor cursor = space.scanAll()) {
      while (cursor.next()) {
        if (check != null) {
          run.check(
              info.name(),
              check,
              new RowRecord(
                  cursor.hashKey(), cursor.sortKey(), cursor.value(), cursor.expiryMillis()),
              false);
        }
        if (!run.record()) {
          return;
        }
      }
    }
    if (check != null) {
      run.end(info.name(), check);
    }
  }
}
