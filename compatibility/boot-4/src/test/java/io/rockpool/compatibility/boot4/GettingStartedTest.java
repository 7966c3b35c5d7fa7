package io.rockpool.compatibility.boot4;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootVersion;

/** The program of {@code docs/getting-started.md}, as it is there. */
final class GettingStartedTest {
  private static final Pattern PROGRAM = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final Pattern FOUND =
      Pattern.compile("apple costs 500 cents, found by process (\\d+); visit (\\d+)");

  @TempDir Path directory;
  private String page;

  @BeforeEach
  void readPage() throws Exception {
    page = Files.readString(Path.of("../../docs/getting-started.md"));
  }

  private Path compiled() throws Exception {
    Matcher program = PROGRAM.matcher(page);
    assertThat(program.find()).isTrue();
    Path sources = Files.createDirectories(directory.resolve("sources"));
    Path classes = Files.createDirectories(directory.resolve("classes"));
    Path source = sources.resolve("ShopApplication.java");
    Files.writeString(source, program.group(1));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, UTF_8)) {
      List<String> options =
          List.of(
              "-proc:none",
              "-parameters", // as Boot's Maven plugin sets it
              "-cp",
              System.getProperty("java.class.path"),
              "-d",
              classes.toString());
      boolean succeeded =
          compiler
              .getTask(errors, files, null, options, null, files.getJavaFileObjects(source))
              .call();
      assertThat(succeeded).as("%s", errors).isTrue();
    }
    return classes;
  }

  private Service start(Path classes) throws Exception {
    List<String> command = new ArrayList<>(Service.java());
    command.addAll(
        List.of(
            "-cp",
            classes + File.pathSeparator + System.getProperty("java.class.path"),
            "shop.ShopApplication",
            "--server.port=0",
            // Tests of this module have a database on their class path.
            "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure"
                + ".DataSourceAutoConfiguration"));
    Path work = Files.createDirectories(directory.resolve("work"));
    return Service.start(new ProcessBuilder(command).directory(work.toFile()));
  }

  @Test
  void theServiceIsWarmAfterItWasKilled() throws Exception {
    Path classes = compiled();
    String pid;
    try (Service service = start(classes)) {
      pid = Long.toString(service.pid());
      for (int visit = 1; visit <= 2; visit++) {
        assertAnswer(service, pid, visit);
      }
      service.kill();
    }
    try (Service service = start(classes)) {
      assertThat(Long.toString(service.pid())).isNotEqualTo(pid);
      assertAnswer(service, pid, 3);
    }
    assertThat(directory.resolve("work/rockpool-data")).isDirectory();
  }

  private static void assertAnswer(Service service, String pid, int visit) throws Exception {
    Matcher answer = FOUND.matcher(service.get("/prices/apple"));
    assertThat(answer.find()).isTrue();
    assertThat(answer.group(1)).isEqualTo(pid);
    assertThat(answer.group(2)).isEqualTo(Integer.toString(visit));
  }

  @Test
  void theProjectHasTheTestedVersion() {
    assertThat(page).contains("<version>" + SpringBootVersion.getVersion() + "</version>");
  }
}
