package io.rockpool.tck;

import static org.junit.Assert.assertEquals;

import javax.cache.Caching;
import javax.cache.configuration.OptionalFeature;
import org.junit.Test;

/** Whether the kit runs under the circumstances that its execution is there for. */
public class SettingTest {
  @Test
  public void valuesAreStoredByReferenceWhereTheyCanBe() {
    assertEquals(
        Boolean.getBoolean("kit.by-reference"),
        Caching.getCachingProvider().isSupported(OptionalFeature.STORE_BY_REFERENCE));
  }

  @Test
  public void theNeighbourBurnsWhereItShould() {
    boolean burns =
        Thread.getAllStackTraces().keySet().stream()
            .anyMatch(thread -> thread.getName().equals(Neighbour.NAME));
    assertEquals(Boolean.getBoolean(Neighbour.PROPERTY), burns);
  }
}
