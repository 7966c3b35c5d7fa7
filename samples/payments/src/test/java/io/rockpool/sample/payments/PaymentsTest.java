package io.rockpool.sample.payments;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.sample.testing.Program;
import io.rockpool.sample.testing.Stores;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients repeat their requests until they have an answer; the service is killed meanwhile. */
@Timeout(240)
final class PaymentsTest {
  private static final int CLIENTS = 4;
  private static final int PAYMENTS = 60;
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String OPEN = "Open ";

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<Integer, String> receipts = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();
  private final CountDownLatch killed = new CountDownLatch(1);
  private volatile URI service = URI.create("http://127.0.0.1/");

  private Program start() throws IOException {
    Program program =
        Program.start(
            PaymentsApplication.class,
            "--rockpool.directory=" + directory.resolve("store"),
            "--server.port=0");
    program.killAfter(LIMIT);
    for (String line = program.readLine(); line != null; line = program.readLine()) {
      if (line.startsWith(OPEN)) {
        service = URI.create(line.substring(OPEN.length()));
        return program;
      }
    }
    throw new IOException("The service ended before it listened.");
  }

  private HttpResponse<String> pay(int number) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(service.resolve("/payments"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "payment-" + number)
            .POST(BodyPublishers.ofString("{\"from\":\"ann\",\"to\":\"bob\",\"cents\":5}"))
            .timeout(Duration.ofSeconds(20))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  /** Repeats each payment until it is answered, whatever happens to the service. */
  private void client() throws InterruptedException {
    for (int number = next.getAndIncrement(); number < PAYMENTS; number = next.getAndIncrement()) {
      if (number >= PAYMENTS * 2 / 3) { // however late it is killed, some come after that
        killed.await();
      }
      while (!receipts.containsKey(number)) {
        try {
          HttpResponse<String> answer = pay(number);
          if (answer.statusCode() == 201) {
            receipts.put(number, answer.body());
          }
        } catch (IOException killed) {
          TimeUnit.MILLISECONDS.sleep(20);
        }
      }
    }
  }

  @Test
  void eachPaymentIsMadeOnceAlthoughTheServiceIsKilled() throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<?>> all = new ArrayList<>();
      try (Program first = start()) {
        for (int i = 0; i < CLIENTS; i++) {
          all.add(
              clients.submit(
                  () -> {
                    client();
                    return null;
                  }));
        }
        while (receipts.size() < PAYMENTS / 3) {
          TimeUnit.MILLISECONDS.sleep(1);
        }
        first.kill();
        killed.countDown();
      }
      assertThat(receipts).hasSizeLessThan(PAYMENTS);
      try (Program second = start()) {
        for (Future<?> each : all) {
          each.get();
        }
        for (int number = 0; number < PAYMENTS; number++) {
          HttpResponse<String> again = pay(number);
          assertThat(again.body()).isEqualTo(receipts.get(number));
          assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        }
        String accounts =
            http.send(
                    HttpRequest.newBuilder(service.resolve("/accounts")).build(),
                    BodyHandlers.ofString())
                .body();
        assertThat(accounts)
            .isEqualTo("{\"ann\":%d,\"bob\":%d}".formatted(-5 * PAYMENTS, 5 * PAYMENTS));
        second.kill();
      }
    } finally {
      clients.shutdownNow();
    }
    assertThat(receipts.values()).doesNotHaveDuplicates();
    Stores.verify(directory.resolve("store"));
  }
}
