package io.rockpool;

import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.HandleUnderTest;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.RoundTripCalls;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What docs/round-trips.md lists is what the calls need, in theory. */
@NotEncrypted("counts the calls of an engine below")
final class RoundTripsTest {
  @Test
  void thePageListsWhatCallsNeed() throws IOException {
    HandleUnderTest handle = new HandleUnderTest(MemoryEngine.builder().shared().build());
    try (Rockpool pool = Rockpool.at(o -> handle.engine()).open()) {
      RoundTripCalls calls = new RoundTripCalls(pool, handle::roundTrips);
      calls.caches();
      calls.tags();
      calls.collections();
      calls.check("in theory");
    }
  }
}
