package io.rockpool.s3;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * Stores one object. A small one is one request; a large one is sent in parts, which become the
 * object when all are there. The content is read to its end before that, so an error there stores
 * nothing.
 */
final class S3Upload {
  private static final Logger LOG = LoggerFactory.getLogger(S3Target.LOGGER_NAME);

  /** A part is on the heap, to be sent again if need be. The server wants 5 MiB at least. */
  static final int PART_BYTES = 8 << 20;

  private static final int MAX_PARTS = 10_000;

  /** Reads of this size can be paced and stopped. */
  private static final int READ_BYTES = 128 << 10;

  private final S3Objects objects;
  private final String name;
  private final Check check;

  /** Throws if the object must not be stored anymore. */
  @FunctionalInterface
  interface Check {
    void run() throws IOException;
  }

  S3Upload(S3Objects objects, String name, Check check) {
    this.objects = objects;
    this.name = name;
    this.check = check;
  }

  void run(long bytes, InputStream content) throws IOException {
    long partBytes = Math.max(PART_BYTES, (bytes + MAX_PARTS - 1) / MAX_PARTS);
    byte[] part = new byte[Math.toIntExact(Math.min(partBytes, bytes + 1))];
    int length = fill(part, content);
    if (length < part.length) {
      checkLength(bytes, length);
      check.run();
      objects.put(name, part, length);
      return;
    }
    String upload = objects.beginParts(name);
    boolean isStored = false;
    try {
      List<CompletedPart> parts = new ArrayList<>();
      long sent = 0;
      do {
        check.run();
        parts.add(objects.putPart(name, upload, parts.size() + 1, part, length));
        sent += length;
        length = fill(part, content);
      } while (length > 0);
      checkLength(bytes, sent);
      check.run();
      objects.completeParts(name, upload, parts);
      isStored = true;
    } finally {
      if (!isStored) {
        abort(upload);
      }
    }
  }

  /** Reads until the array is full or the content ends; returns how many bytes. */
  private static int fill(byte[] part, InputStream content) throws IOException {
    int length = 0;
    while (length < part.length) {
      int read = content.read(part, length, Math.min(READ_BYTES, part.length - length));
      if (read < 0) {
        break;
      }
      length += read;
    }
    return length;
  }

  private void checkLength(long expected, long found) throws IOException {
    if (expected != found) {
      throw new IOException(name + " has " + found + " bytes instead of " + expected);
    }
  }

  /** The parts would stay until the next backup. */
  private void abort(String upload) {
    boolean interrupted = Thread.interrupted();
    try {
      objects.abortParts(name, upload);
    } catch (IOException | RuntimeException e) {
      LOG.debug("Parts of {} stay in {} for now.", name, objects, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
