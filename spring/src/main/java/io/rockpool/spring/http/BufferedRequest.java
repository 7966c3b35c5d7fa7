package io.rockpool.spring.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A request for one thread, whose body may have been read. */
final class BufferedRequest extends HttpServletRequestWrapper {
  private final @Nullable BufferedBody body;

  /**
   * @param body what was read; null if the container reads it
   */
  BufferedRequest(HttpServletRequest request, byte @Nullable [] body) {
    super(request);
    this.body = body == null ? null : new BufferedBody(new ByteArrayInputStream(body));
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    return body == null ? super.getInputStream() : body;
  }

  @Override
  public BufferedReader getReader() throws IOException {
    if (body == null) {
      return super.getReader();
    }
    String encoding = getCharacterEncoding();
    Charset charset = encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
    return new BufferedReader(new InputStreamReader(body, charset));
  }

  @Override
  public boolean isAsyncSupported() {
    return false;
  }

  @Override
  public AsyncContext startAsync() {
    throw new IllegalStateException(
        "A request with an Idempotency-Key was to continue on another thread; its transaction"
            + " belongs to this one. Answer on this thread, or leave the path out.");
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    return startAsync();
  }

  private static final class BufferedBody extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    BufferedBody(ByteArrayInputStream bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return bytes.read(into, offset, length);
    }

    @Override
    public int available() {
      return bytes.available();
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("The body has been read; read it without a listener.");
    }
  }
}
