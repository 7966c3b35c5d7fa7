package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The verb {@code ui} while it runs, and a reader of its pages without scripts. */
final class UiRun implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Thread command;
  private final CompletableFuture<Integer> code;
  private final StringWriter errors;
  private final HttpClient client =
      HttpClient.newBuilder()
          .cookieHandler(new CookieManager())
          .followRedirects(HttpClient.Redirect.NORMAL)
          .build();

  /** The address with the token. */
  private final URI address;

  private URI base;

  private UiRun(Thread command, CompletableFuture<Integer> code, StringWriter errors, URI address) {
    this.command = command;
    this.code = code;
    this.errors = errors;
    this.address = address;
    this.base = address;
  }

  /** Starts the verb with arguments, and opens its address. */
  static UiRun start(Object... arguments) throws IOException, InterruptedException {
    PipedReader said = new PipedReader();
    PrintWriter out = new PrintWriter(new PipedWriter(said));
    String[] all =
        Stream.concat(Stream.of("ui"), Arrays.stream(arguments))
            .map(Object::toString)
            .toArray(String[]::new);
    StringWriter errors = new StringWriter();
    CompletableFuture<Integer> code = new CompletableFuture<>();
    Thread command =
        new Thread(
            () -> {
              code.complete(RockpoolCommand.run(out, new PrintWriter(errors), all));
              out.close();
            });
    command.start();
    String line = new BufferedReader(said).readLine();
    assertThat(line)
        .as(errors.toString())
        .matches("address  http://127\\.0\\.0\\.1:\\d+/\\?token=\\S{32}");
    UiRun run = new UiRun(command, code, errors, URI.create(line.substring("address  ".length())));
    HttpResponse<String> first = run.get(run.address);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    run.base = first.uri();
    return run;
  }

  URI address() {
    return address;
  }

  /** The address of a page, as links have it. */
  URI uri(String page) {
    return base.resolve(page.replace("&amp;", "&"));
  }

  HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(uri).timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** A page that there is. */
  String page(String page) throws IOException, InterruptedException {
    HttpResponse<String> response = get(uri(page));
    assertThat(response.statusCode()).as(page + response.body()).isEqualTo(200);
    return response.body();
  }

  /** Presses the button for a new copy; returns the page of names. */
  HttpResponse<String> refresh(@Nullable String origin) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri("refresh"))
            .timeout(LIMIT)
            .POST(HttpRequest.BodyPublishers.noBody());
    return client.send(
        (origin == null ? request : request.header("Origin", origin)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Waits for the end; returns the exit code. */
  int waitFor() throws Exception {
    return code.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    command.interrupt();
    assertThat(waitFor()).as(errors.toString()).isEqualTo(RockpoolCommand.DONE);
  }
}
