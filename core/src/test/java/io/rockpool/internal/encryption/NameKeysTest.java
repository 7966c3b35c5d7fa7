package io.rockpool.internal.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.TestKeys;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.memory.MemoryEngine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NameKeysTest {
  /** The rotation of a name may end while its records are being copied. */
  @Test
  void aCopyHasTheKeysOfBeforeAndAfterARotation() {
    try (Engine engine = MemoryEngine.builder().build()) {
      Encryption encryption = TestKeys.all();
      StoreKeys storeKeys = StoreKeys.open(engine, encryption, /* readOnly= */ false);
      NameKeys names = new NameKeys(engine, encryption, storeKeys, /* readOnly= */ false);
      SpaceKeys source = create(names, engine, "source");
      SpaceKeys copy = create(names, engine, "copy");
      DataKey before = source.current();
      names.adopt("copy", copy, source);
      names.addStoreKey();
      names.addKey("source", source, storeKeys.current());
      names.dropKeys("source", source, List.of(before));
      names.adoptMore("copy", copy, source);
      names.addKey("copy", copy, -1);
      names.retireStoreKeys();
      SpaceKeys reopened =
          new NameKeys(
                  engine,
                  encryption,
                  StoreKeys.open(engine, encryption, false),
                  /* readOnly= */ false)
              .of(engine.describe("copy"));
      assertThat(reopened.stored()).extracting(DataKey::number).containsExactly(0, 1, 2);
      assertThat(reopened.key(0).secret()).isEqualTo(before.secret());
      assertThat(reopened.key(1).secret()).isEqualTo(source.current().secret());
    }
  }

  private static SpaceKeys create(NameKeys names, Engine engine, String name) {
    return names.create(new SpaceSpec(name, Layout.ROWS, Map.of()), engine::create).keys();
  }
}
