package io.rockpool.quarkus.internal.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.QuarkusDevModeTest;
import io.rockpool.testing.Slow;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.commons.io.FileUtils;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Quarkus' development mode, which replaces classes while the process runs. */
@Slow
final class LiveReloadTest {
  private static final int PORT = freePort();
  private static final String STORE = "target/reload-store";
  private static final String PROPERTIES =
      """
      quarkus.cache.type=rockpool
      quarkus.rockpool.directory=%s
      quarkus.http.host=127.0.0.1
      quarkus.http.port=%s
      """
          .formatted(STORE, PORT);

  @RegisterExtension
  static final QuarkusDevModeTest APPLICATION =
      new QuarkusDevModeTest()
          .withApplicationRoot(
              jar -> {
                FileUtils.deleteQuietly(new File(STORE)); // of the test's last run
                jar.addClasses(Titles.class, TitleRoutes.class)
                    .addAsResource(new StringAsset(PROPERTIES), "application.properties");
              });

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String get() throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + PORT + "/titles");
    try (InputStream body = uri.toURL().openStream()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void entriesOutliveAReload() throws IOException {
    assertThat(get()).isEqualTo("Title[isbn=1, of=first] first1");
    assertThat(get()).isEqualTo("Title[isbn=1, of=first] first1");
    APPLICATION.modifySourceFile(Titles.class, it -> it.replace("\"first\"", "\"second\""));
    assertThat(get()).isEqualTo("Title[isbn=1, of=first] second0");
    APPLICATION.modifySourceFile(
        Titles.class,
        it ->
            it.replace("String of)", "StringBuilder of)")
                .replace("source())", "new StringBuilder(source()))"));
    assertThat(get()).isEqualTo("Title[isbn=1, of=second] second1");
  }
}
