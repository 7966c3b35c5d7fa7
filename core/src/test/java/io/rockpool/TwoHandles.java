package io.rockpool;

import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.HandleUnderTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two stores over one engine's data, as two processes on a server have them. */
abstract class TwoHandles {
  final HandleUnderTest here;
  final HandleUnderTest there;
  Rockpool mine;
  Rockpool theirs;

  TwoHandles(MemoryEngine.Builder engine) {
    here = new HandleUnderTest(engine.shared().build());
    there = here.another();
  }

  @BeforeEach
  final void open() {
    mine = Rockpool.at(o -> here.engine()).open();
    theirs = Rockpool.at(o -> there.engine()).open();
  }

  @AfterEach
  final void close() {
    mine.close();
    theirs.close();
  }
}
