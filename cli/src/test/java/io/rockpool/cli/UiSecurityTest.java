package io.rockpool.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.NotEncrypted;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the pages of {@code ui} show to whom, and that nothing of a store is HTML. */
@Timeout(120)
@NotEncrypted("opens stores with and without keys")
final class UiSecurityTest {
  /** A name cannot have control characters; keys and values can. */
  private static final String NAME = "<script>alert(1)</script>&\"'\u202e";

  private static final String SHOWN =
      "&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;\\u202e";
  private static final String HOSTILE = NAME + "\u0000\n\u001b";
  private static final String SHOWN_VALUE = SHOWN + "\\u0000\\u000a\\u001b";

  @TempDir Path parent;

  @Test
  void whatTheStoreHoldsIsNeverHtml() throws Exception {
    Path store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      pool.map(NAME, String.class, String.class).put(HOSTILE, HOSTILE);
      pool.queue("q", String.class).send(HOSTILE, o -> o.header(HOSTILE, HOSTILE).group(HOSTILE));
    }
    try (UiRun run = UiRun.start(store)) {
      String names = run.page("");
      String name = run.page(UiTest.link(names, Pattern.quote(SHOWN)));
      String encoded = URLEncoder.encode(HOSTILE, UTF_8);
      List<String> pages =
          List.of(
              names,
              name,
              run.page("name?name=q"),
              run.page(UiTest.link(run.page("name?name=q"), "all of it")),
              run.get(run.uri("entry?name=" + encoded)).body(),
              run.get(run.uri("?from=" + encoded)).body());
      assertThat(pages.subList(0, 4)).allMatch(page -> page.contains("alert(1)"));
      assertThat(name.split(Pattern.quote(SHOWN_VALUE), -1)).as("a key and a value").hasSize(3);
      assertThat(pages)
          .allSatisfy(
              page -> assertThat(page).doesNotContain("<script", "\u202e", "\u0000", "\u001b"));
      assertThat(name).as("the field of the search").contains("&#39;&#8238;\">");
    }
  }

  @Test
  void onlyTheBrowserWithTheTokenSeesAPage() throws Exception {
    try (UiRun run = UiRun.start(UiTest.filled(parent))) {
      URI address = run.address();
      String port = ":" + address.getPort();
      String good = address.getRawPath() + "?" + address.getRawQuery();
      String wrong = good.substring(0, good.length() - 1) + (good.endsWith("A") ? "B" : "A");
      String entered = raw(address, "GET", good, "127.0.0.1" + port, "");
      assertThat(entered)
          .startsWith("HTTP/1.1 303")
          .containsPattern(
              "(?i)set-cookie: rockpool=\\S{32}; Path=/\\S{32}/; HttpOnly; SameSite=Strict");
      Matcher cookie = Pattern.compile("(?i)set-cookie: ([^;]+); Path=([^;]+);").matcher(entered);
      assertThat(cookie.find()).isTrue();
      String line = "Cookie: other=1; " + cookie.group(1) + "\r\n";
      String base = cookie.group(2);
      for (String host : List.of("127.0.0.1", "localhost", "[::1]")) {
        assertThat(raw(address, "GET", base, host + port, line)).startsWith("HTTP/1.1 200");
      }
      assertThat(raw(address, "HEAD", base, "localhost" + port, line))
          .startsWith("HTTP/1.1 200")
          .endsWith("\r\n\r\n");
      assertThat(raw(address, "DELETE", base, "localhost" + port, line)).startsWith("HTTP/1.1 405");
      assertThat(raw(address, "POST", good, "localhost" + port, "Content-Length: 0\r\n"))
          .startsWith("HTTP/1.1 403");
      for (String host :
          List.of(
              "evil.example" + port,
              "127.0.0.1",
              "127.0.0.1:1",
              "",
              "localhost.evil.example" + port)) {
        assertThat(raw(address, "GET", good, host, line)).as(host).startsWith("HTTP/1.1 403");
        assertThat(raw(address, "GET", base, host, line)).as(host).startsWith("HTTP/1.1 403");
      }
      String here = "127.0.0.1" + port;
      for (String path :
          List.of(
              "/",
              wrong,
              "/?token=",
              "/?token",
              base,
              base + "name?name=map",
              base + "style.css",
              "/favicon.ico",
              "/name?name=map")) {
        assertThat(raw(address, "GET", path, here, ""))
            .as(path)
            .startsWith("HTTP/1.1 403")
            .doesNotContain("apple", "<");
      }
      assertThat(raw(address, "GET", base, here, "Cookie: rockpool=wrong\r\n"))
          .startsWith("HTTP/1.1 403");
      assertThat(raw(address, "GET", base, here, "Cookie: rockpool\r\n"))
          .startsWith("HTTP/1.1 403");
      assertThat(raw(address, "POST", base + "refresh", here, "Content-Length: 0\r\n"))
          .startsWith("HTTP/1.1 403");
    }
  }

  /** The answer to a request that no client would send. */
  private static String raw(URI address, String method, String path, String host, String headers)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          (method
                  + " "
                  + path
                  + " HTTP/1.1\r\nHost: "
                  + host
                  + "\r\nConnection: close\r\n"
                  + headers
                  + "\r\n")
              .getBytes(ISO_8859_1));
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @Test
  void everyAnswerForbidsScriptsAndCopies() throws Exception {
    try (UiRun run = UiRun.start(UiTest.filled(parent))) {
      for (String page :
          List.of(
              "", "name?name=map", "style.css", "nothing", "name?name=nothing", "/", "?from=x")) {
        HttpResponse<String> answer = run.get(run.uri(page));
        assertThat(answer.headers().firstValue("Content-Security-Policy"))
            .as(page)
            .hasValueSatisfying(
                policy -> assertThat(policy).startsWith("default-src 'none'; style-src 'self';"));
        assertThat(answer.headers().firstValue("Cache-Control")).as(page).hasValue("no-store");
        assertThat(answer.headers().firstValue("X-Content-Type-Options"))
            .as(page)
            .hasValue("nosniff");
        assertThat(answer.headers().firstValue("Referrer-Policy")).as(page).hasValue("same-origin");
        assertThat(answer.headers().firstValue("Content-Type"))
            .as(page)
            .hasValueSatisfying(type -> assertThat(type).endsWith("; charset=utf-8"));
        assertThat(answer.body()).doesNotContain("style=", "<script", "http:");
      }
    }
  }

  @Test
  void anEncryptedStoreNeedsItsKeysAndKeysAreNotInAddresses() throws Exception {
    Path keys = Files.writeString(parent.resolve("keys"), KeyProviders.newKey("may"));
    Path store = parent.resolve("store");
    try (Rockpool pool =
        Rockpool.at(store)
            .encryption(Encryption.with(KeyProviders.file(keys)).hidingKeys(""))
            .open()) {
      PersistentMap<String, String> map = pool.map("map", String.class, String.class);
      for (int key = 0; key < 101; key++) {
        map.put("secret-" + key, "v".repeat(300));
      }
    }
    CommandRun.of("ui", store, "--idle=1ms").assertRefused("\"may\"");
    try (UiRun run = UiRun.start(store, "--key-file", keys)) {
      String page = run.page("name?name=map");
      assertThat(page).contains("secret-", "values and keys");
      Matcher address = Pattern.compile("href=\"([^\"]+)\"").matcher(page);
      while (address.find()) {
        assertThat(address.group(1)).doesNotContain("secret");
        for (String part : address.group(1).split("[=&;]", -1)) {
          if (part.matches("[\\w-]{40,}")) {
            assertThat(new String(Base64.getUrlDecoder().decode(part), ISO_8859_1))
                .doesNotContain("secret");
          }
        }
      }
      assertThat(UiTest.keys(run, "name?name=map", 2)).hasSize(101).doesNotHaveDuplicates();
    }
  }
}
