package io.rockpool.compatibility.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.compatibility.boot4.Service.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A web service that has the dependency, and no property: values and keys of many classes, also
 * after {@code kill -9}. On Caffeine's cache manager the same service gives the same answers.
 */
@Tag("slow")
final class ServiceTest {
  @TempDir Path parent;
  private Path directory;

  @BeforeEach
  void createDirectory() throws IOException {
    directory = Files.createDirectory(parent.resolve("application"));
  }

  @Test
  void eachMethodIsCalledOnceAndNeverAgain() throws Exception {
    Map<String, Answer> first;
    try (Service service = Service.start(directory)) {
      first = service.callAll();
      assertThat(first).hasSizeGreaterThan(70);
      assertThat(first).allSatisfy((name, answer) -> assertThat(answer.calls()).isEqualTo(1));
      service.kill();
    }
    try (Service service = Service.start(directory)) {
      Map<String, Answer> again = service.callAll();
      assertThat(again).hasSameSizeAs(first);
      assertThat(again)
          .allSatisfy(
              (name, answer) ->
                  assertThat(answer).isEqualTo(new Answer(first.get(name).value(), 0)));
      service.stop();
    }
    try (Service service = Service.start(directory, "--spring.cache.type=caffeine")) {
      assertThat(service.callAll()).isEqualTo(first);
    }
  }
}
