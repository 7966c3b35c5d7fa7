package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.encryption.TestKeys;
import io.rockpool.store.KeyRotationState;
import io.rockpool.structure.PersistentMap;
import java.nio.file.Path;

/** Rotates keys again and again, and writes, until it is killed. */
final class RotationVictim {
  static final int ELEMENTS = 3_000;

  private RotationVictim() {}

  public static void main(String[] arguments) throws InterruptedException {
    Rockpool pool =
        Rockpool.at(Path.of(arguments[0])).encryption(TestKeys.all()).memoryBytes(16L << 20).open();
    PersistentMap<Integer, String> map = pool.map("map", Integer.class, String.class);
    for (int i = map.size(); i < ELEMENTS; i++) {
      map.put(i, "value " + i);
    }
    System.out.println("open");
    for (int i = 0; ; i = (i + 1) % ELEMENTS) {
      KeyRotationState state = pool.state().keyRotation();
      if (state.pendingNames() == 0) {
        pool.rotateKeys();
        System.out.println("rotating");
      }
      map.put(i, "value " + i);
      Thread.sleep(1);
    }
  }
}
