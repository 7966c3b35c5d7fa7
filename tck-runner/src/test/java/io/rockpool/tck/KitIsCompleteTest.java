package io.rockpool.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import io.rockpool.Rockpool;
import io.rockpool.error.EncryptionKeyException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Test;
import org.w3c.dom.Element;

/** Whether the kit has really run: a build that finds no tests is green too. */
public class KitIsCompleteTest {
  /** The tests of version 1.1.1 without those of the annotations. */
  static final int TESTS = 481;

  /** Those of the annotations. */
  private static final int ANNOTATION_TESTS = 12;

  @Test
  public void allOfTheKitHasRunAsItComes() throws Exception {
    assertComplete("as-it-comes", TESTS);
  }

  @Test
  public void allOfTheKitHasRunWithoutEntriesInMemory() throws Exception {
    assertComplete("without-memory", TESTS);
  }

  @Test
  public void allOfTheKitHasRunBesideANeighbour() throws Exception {
    assertComplete("beside-a-neighbour", TESTS);
  }

  @Test
  public void allOfTheAnnotationsHaveRun() throws Exception {
    assertComplete("annotations", ANNOTATION_TESTS);
  }

  @Test
  public void nothingIsExcludedButWhatIsMadeToFail() throws Exception {
    // The kit counts a test that is excluded as one that has run well.
    List<URL> lists = Collections.list(getClass().getClassLoader().getResources("ExcludeList"));
    assertEquals(lists.toString(), 1, lists.size());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(lists.get(0).openStream(), UTF_8))) {
      assertEquals(
          List.of("org.jsr107.tck.CachingTest#dummyTest"),
          lines
              .lines()
              .map(String::strip)
              .filter(line -> !line.isEmpty() && !line.startsWith("#"))
              .toList());
    }
  }

  /** Without its keys, no store of an encrypted kit can be opened. */
  @Test
  public void itsStoresAreEncryptedIfAskedFor() throws Exception {
    assumeTrue(System.getProperty("rockpool.encryption.key-file") != null);
    Path target = Path.of(System.getProperty("kit.reports")).resolveSibling("store");
    int stores = 0;
    try (Stream<Path> directories = Files.list(target)) {
      for (Path store : directories.toList()) {
        assertThrows(EncryptionKeyException.class, () -> Rockpool.open(store).close());
        stores++;
      }
    }
    assertTrue("there are " + stores + " stores in " + target, stores >= 4);
  }

  static void assertComplete(String execution, int expected) throws Exception {
    int tests = 0;
    for (Path report : reports(execution)) {
      Element suite =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(report.toFile())
              .getDocumentElement();
      tests += count(suite, "tests");
      for (String bad : List.of("failures", "errors", "skipped")) {
        assertEquals(bad + " in " + report, 0, count(suite, bad));
      }
    }
    assertTrue(
        tests + " tests have run " + execution + "; there are " + expected, tests >= expected);
  }

  private static int count(Element suite, String attribute) {
    return Integer.parseInt(suite.getAttribute(attribute));
  }

  private static List<Path> reports(String execution) throws IOException {
    try (Stream<Path> files =
        Files.list(Path.of(System.getProperty("kit.reports")).resolve(execution))) {
      return files
          .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
          .filter(file -> !file.getFileName().toString().contains("io.rockpool"))
          .toList();
    }
  }
}
