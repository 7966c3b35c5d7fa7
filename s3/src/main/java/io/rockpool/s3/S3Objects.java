package io.rockpool.s3;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The requests to one bucket, with names below a prefix. The client repeats requests that fail for
 * a moment. Every body is a byte array, so it can be sent again, and has its MD5, so that the
 * server refuses one that was changed on the way. Thread-safe.
 */
final class S3Objects {
  /** The condition was not met: another process has changed the object. */
  private static final int PRECONDITION_FAILED = 412;

  /** Another conditional request for the object is in flight. */
  private static final int CONFLICT = 409;

  private final S3Client client;
  private final S3Location location;

  S3Objects(S3Client client, S3Location location) {
    this.client = client;
    this.location = location;
  }

  /** A request. */
  @FunctionalInterface
  private interface Request<T> {
    T run();
  }

  /** A small object: its content, its version, and how long ago it was written. */
  record Small(String text, String etag, Duration age) {}

  private String key(String name) {
    return location.prefix() + name;
  }

  private <T> T send(Request<T> request) throws IOException {
    try {
      return request.run();
    } catch (SdkException e) {
      throw failure(e);
    }
  }

  /** What a request threw, as the exception of an object store. */
  static IOException failure(SdkException e) {
    if (e instanceof AbortedException || Thread.currentThread().isInterrupted()) {
      Thread.currentThread().interrupt();
      ClosedByInterruptException interrupted = new ClosedByInterruptException();
      interrupted.initCause(e);
      return interrupted;
    }
    if (e instanceof AwsServiceException answer) {
      AwsErrorDetails details = answer.awsErrorDetails();
      String code = details == null ? null : details.errorCode();
      String said = details == null ? null : details.errorMessage();
      return new IOException(
          "the server answered "
              + answer.statusCode()
              + (code == null ? "" : " " + code)
              + (said == null ? "" : ": " + said),
          e);
    }
    Throwable cause = e.getCause();
    return new IOException(
        e.getMessage() + (cause == null ? "" : " (" + cause.getMessage() + ")"), e);
  }

  void put(String name, byte[] content, int length) throws IOException {
    byte[] body = length == content.length ? content : Arrays.copyOf(content, length);
    send(
        () ->
            client.putObject(
                r -> r.bucket(location.bucket()).key(key(name)).contentMD5(md5(body)),
                RequestBody.fromBytes(body)));
  }

  /**
   * Writes a small object if its version is {@code etag}, or if there is none and {@code etag} is
   * null. Returns its new version, or null if that is not so.
   */
  @Nullable String putIf(@Nullable String etag, String name, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    try {
      return client
          .putObject(
              r -> {
                r.bucket(location.bucket()).key(key(name)).contentMD5(md5(body));
                if (etag == null) {
                  r.ifNoneMatch("*");
                } else {
                  r.ifMatch(etag);
                }
              },
              RequestBody.fromBytes(body))
          .eTag();
    } catch (SdkException e) {
      if (e instanceof AwsServiceException answer
          && (answer.statusCode() == PRECONDITION_FAILED || answer.statusCode() == CONFLICT)) {
        return null;
      }
      if (e instanceof NoSuchKeyException && etag != null) {
        return null;
      }
      throw failure(e);
    }
  }

  /** Reads a small object; null if there is none. */
  @Nullable Small small(String name) throws IOException {
    try {
      ResponseBytes<GetObjectResponse> read =
          client.getObjectAsBytes(r -> r.bucket(location.bucket()).key(key(name)));
      return new Small(read.asUtf8String(), read.response().eTag(), age(read.response()));
    } catch (NoSuchKeyException e) {
      return null;
    } catch (SdkException e) {
      throw failure(e);
    }
  }

  /** How long ago an object was written, by the server's clock alone; zero if unknown. */
  private static Duration age(GetObjectResponse response) {
    String date = response.sdkHttpResponse().firstMatchingHeader("Date").orElse("");
    try {
      Instant now = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
      Instant written = response.lastModified();
      return written == null ? Duration.ZERO : Duration.between(written, now);
    } catch (DateTimeParseException e) {
      return Duration.ZERO;
    }
  }

  /**
   * Begins to read an object.
   *
   * @param from the first byte
   * @param etag its version; null for whatever it is
   * @throws NoSuchFileException if there is none
   */
  ResponseInputStream<GetObjectResponse> open(String name, long from, @Nullable String etag)
      throws IOException {
    try {
      return client.getObject(
          r -> {
            r.bucket(location.bucket()).key(key(name)).ifMatch(etag);
            if (from > 0) {
              r.range("bytes=" + from + "-");
            }
          });
    } catch (NoSuchKeyException e) {
      NoSuchFileException missing = new NoSuchFileException(location + "/" + name);
      missing.initCause(e);
      throw missing;
    } catch (SdkException e) {
      throw failure(e);
    }
  }

  /** Reads an object; a connection that breaks is replaced. */
  InputStream get(String name) throws IOException {
    return new S3Input(this, name);
  }

  /** The lengths of objects by name. */
  Map<String, Long> list(String folder) throws IOException {
    Map<String, Long> found = new TreeMap<>();
    String next = null;
    do {
      String from = next;
      ListObjectsV2Response page = page(folder, r -> r.continuationToken(from));
      for (S3Object object : page.contents()) {
        found.put(object.key().substring(location.prefix().length()), object.size());
      }
      next = Boolean.TRUE.equals(page.isTruncated()) ? page.nextContinuationToken() : null;
    } while (next != null);
    return found;
  }

  /** Whether there is an object below the prefix. */
  boolean isAny() throws IOException {
    return !page("", r -> r.maxKeys(1)).contents().isEmpty();
  }

  private ListObjectsV2Response page(String folder, Consumer<ListObjectsV2Request.Builder> more)
      throws IOException {
    return send(
        () ->
            client.listObjectsV2(
                r -> more.accept(r.bucket(location.bucket()).prefix(key(folder)))));
  }

  void delete(String name) throws IOException {
    send(() -> client.deleteObject(r -> r.bucket(location.bucket()).key(key(name))));
  }

  /** Begins an object of several parts; returns the id of the upload. */
  String beginParts(String name) throws IOException {
    return send(
        () ->
            client
                .createMultipartUpload(r -> r.bucket(location.bucket()).key(key(name)))
                .uploadId());
  }

  CompletedPart putPart(String name, String upload, int number, byte[] content, int length)
      throws IOException {
    byte[] body = length == content.length ? content : Arrays.copyOf(content, length);
    String etag =
        send(
            () ->
                client
                    .uploadPart(
                        r ->
                            r.bucket(location.bucket())
                                .key(key(name))
                                .uploadId(upload)
                                .partNumber(number)
                                .contentMD5(md5(body)),
                        RequestBody.fromBytes(body))
                    .eTag());
    return CompletedPart.builder().partNumber(number).eTag(etag).build();
  }

  void completeParts(String name, String upload, List<CompletedPart> parts) throws IOException {
    send(
        () ->
            client.completeMultipartUpload(
                r ->
                    r.bucket(location.bucket())
                        .key(key(name))
                        .uploadId(upload)
                        .multipartUpload(m -> m.parts(parts))));
  }

  void abortParts(String name, String upload) throws IOException {
    send(
        () ->
            client.abortMultipartUpload(
                r -> r.bucket(location.bucket()).key(key(name)).uploadId(upload)));
  }

  /** Ends the uploads of a folder that are not complete; returns their number. */
  int abortAll(String folder) throws IOException {
    List<MultipartUpload> left = new ArrayList<>();
    send(
        () ->
            client
                .listMultipartUploadsPaginator(r -> r.bucket(location.bucket()).prefix(key(folder)))
                .uploads()
                .stream()
                .filter(upload -> upload.key().startsWith(key(folder)))
                .map(left::add)
                .count());
    for (MultipartUpload upload : left) {
      abortParts(upload.key().substring(location.prefix().length()), upload.uploadId());
    }
    return left.size();
  }

  private static String md5(byte[] body) {
    try {
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("MD5").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has MD5", e);
    }
  }

  @Override
  public String toString() {
    return location.toString();
  }
}
