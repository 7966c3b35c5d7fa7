package io.rockpool.s3;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** The content of an object. Where a connection breaks, another one continues. For one thread. */
final class S3Input extends InputStream {
  /** So often in a row without a byte in between. */
  private static final int MAX_ATTEMPTS = 5;

  private final S3Objects objects;
  private final String name;
  private final @Nullable String etag;
  private final long length;
  private ResponseInputStream<GetObjectResponse> in;
  private long position;
  private boolean isClosed;

  S3Input(S3Objects objects, String name) throws IOException {
    this.objects = objects;
    this.name = name;
    this.in = objects.open(name, 0, null);
    this.etag = in.response().eTag();
    this.length = in.response().contentLength();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int max) throws IOException {
    if (max == 0) {
      return 0;
    }
    if (isClosed) {
      throw new IOException("The stream is closed.");
    }
    for (int attempt = 1; position < length; attempt++) {
      try {
        int read = in.read(target, offset, (int) Math.min(max, length - position));
        if (read > 0) {
          position += read;
          return read;
        }
        throw new EOFException(
            "the server sent " + position + " of the " + length + " bytes of " + name);
      } catch (SdkException e) {
        goOn(attempt, S3Objects.failure(e));
      } catch (IOException e) {
        goOn(attempt, e);
      }
    }
    return -1;
  }

  private void goOn(int attempt, IOException e) throws IOException {
    if (attempt >= MAX_ATTEMPTS || Thread.currentThread().isInterrupted()) {
      throw e;
    }
    in.abort();
    in = objects.open(name, position, etag);
  }

  /** Does not read the rest. */
  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      in.abort();
    }
  }
}
