package io.rockpool.internal.encryption;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceView;
import io.rockpool.internal.format.SealedValueFormat;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Decrypts every record that is verified, and passes it to the checks of the layers above. */
final class EncryptedChecks implements RecordChecks {
  private final RecordChecks checks;
  private final NameKeys names;
  private final InstantSource clock;

  EncryptedChecks(RecordChecks checks, NameKeys names, InstantSource clock) {
    this.checks = checks;
    this.names = names;
    this.clock = clock;
  }

  @Override
  public @Nullable RecordCheck begin(SpaceInfo space, SpaceView view, Problems problems) {
    if (space.name().equals(SpaceName.KEYS)) {
      return null;
    }
    SpaceCipher cipher = new SpaceCipher(space.name(), names.of(space));
    RecordCheck above =
        checks.begin(NameKeys.shown(space), new EncryptedView(view, cipher), problems);
    return cipher.keys().isClear() ? above : new Decrypting(cipher, above, clock.millis());
  }

  private record Decrypting(SpaceCipher cipher, @Nullable RecordCheck above, long nowMillis)
      implements RecordCheck {
    @Override
    public void check(RowRecord record, boolean counted) {
      if (isForgotten(record)) {
        return;
      }
      RowRecord opened = cipher.open(record);
      if (above != null) {
        above.check(opened, counted);
      }
    }

    /** Whether it expired before the key of its value was dropped. */
    private boolean isForgotten(RowRecord record) {
      byte[] value = record.value();
      return record.expiryMillis() != Expiry.NEVER
          && record.expiryMillis() <= nowMillis
          && value.length >= SealedValueFormat.OVERHEAD_BYTES
          && cipher.keys().key(value[SealedValueFormat.KEY_AT] & 0xFF) == null;
    }

    @Override
    public void end() {
      if (above != null) {
        above.end();
      }
    }
  }
}
