package io.rockpool.tck;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Test;
import org.w3c.dom.Element;

/** Whether the kit has really run: a build that finds no tests is green too. */
public class KitIsCompleteTest {
  /** The tests of version 1.1.1 without those of the annotations. */
  private static final int TESTS = 481;

  @Test
  public void allOfTheKitHasRunAndPassed() throws Exception {
    int tests = 0;
    for (Path report : reports()) {
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
    assertTrue(tests + " tests of the kit have run; there are " + TESTS, tests >= TESTS);
  }

  private static int count(Element suite, String attribute) {
    return Integer.parseInt(suite.getAttribute(attribute));
  }

  private static List<Path> reports() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("kit.reports")))) {
      return files
          .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
          .filter(file -> !file.getFileName().toString().contains("KitIsComplete"))
          .toList();
    }
  }
}
