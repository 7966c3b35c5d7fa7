package io.rockpool.spring.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** A response that is held until its transaction has committed. */
final class HeldResponse extends ContentCachingResponseWrapper {
  private static final int FIRST_SERVER_ERROR = 500;

  /** Answers that may become others without a change of the request. */
  private static final Set<Integer> PASSING = Set.of(401, 403, 408, 409, 425, 429);

  /** What outer filters have set. */
  private final Map<String, List<String>> outer = new LinkedHashMap<>();

  private @Nullable SentError error;

  private record SentError(int status, @Nullable String message) {}

  HeldResponse(HttpServletResponse response) {
    super(response);
    for (String name : response.getHeaderNames()) {
      outer.put(name.toLowerCase(Locale.ROOT), List.copyOf(response.getHeaders(name)));
    }
  }

  /** The values of a header that outer filters have set; empty if none has. */
  List<String> outerValues(String name) {
    return outer.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  /** Forgets the response, but for what outer filters have set. */
  void discard() {
    HttpServletResponse client = (HttpServletResponse) getResponse();
    client.reset();
    outer.forEach((name, values) -> values.forEach(value -> client.addHeader(name, value)));
  }

  @Override
  public void sendError(int status) {
    error = new SentError(status, null);
  }

  @Override
  public void sendError(int status, @Nullable String message) {
    error = new SentError(status, message);
  }

  /** Whether a repeated request gets this answer. */
  boolean isFinal() {
    return error == null && getStatus() < FIRST_SERVER_ERROR && !PASSING.contains(getStatus());
  }

  /** Sends it to the client. */
  void release() throws IOException {
    SentError sent = error;
    HttpServletResponse client = (HttpServletResponse) getResponse();
    if (sent == null) {
      copyBodyToResponse();
    } else if (sent.message() == null) {
      client.sendError(sent.status());
    } else {
      client.sendError(sent.status(), sent.message());
    }
  }
}
