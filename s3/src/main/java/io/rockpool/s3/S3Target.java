package io.rockpool.s3;

import io.rockpool.backup.BackupTarget;
import io.rockpool.internal.rocksdb.files.BackupMarker;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Backups in a bucket of S3, or of a compatible server, below a prefix of their own.
 *
 * <pre>{@code
 * BackupTarget backups = S3Target.at(URI.create("s3://bucket/shop"));
 * pool.backups().make(backups, BackupOptions.defaults().keep(7));
 * }</pre>
 *
 * <p>The URI may have parameters: {@code endpoint=https://host:9000} for a compatible server,
 * {@code region}, and {@code path-style=false} if an endpoint has buckets as names of hosts.
 *
 * <p>The server must support conditional writes ({@code If-None-Match} and {@code If-Match}) and
 * show what was written at once, as Amazon's does: locks are objects, and a server that ignores
 * conditions is refused. A killed process holds its lock for 30 seconds; another one waits for
 * that. An object is stored with one request or, if it is larger than 8 MiB, in parts; a part is on
 * the heap. Requests that fail for a moment are repeated, and a read that breaks off is continued.
 * Thread-safe.
 */
public final class S3Target implements BackupTarget, AutoCloseable {
  static final String LOGGER_NAME = "io.rockpool.s3.S3Target";
  private static final Logger LOGGER = LoggerFactory.getLogger(LOGGER_NAME);

  /** After which another process may take over a lock that its holder does not renew. */
  private static final Duration LEASE = Duration.ofSeconds(30);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(30);

  /** A server that ignores conditions would write these. */
  private static final String NO_ETAG = "\"00000000000000000000000000000000\"";

  private final S3Client client;
  private final S3Location location;
  private final S3Objects objects;
  private final Duration leaseLength;
  private final Map<String, S3Lease> leases = new ConcurrentHashMap<>();
  private volatile boolean hasConditions;
  private volatile boolean hasBackups;

  private S3Target(S3Client client, S3Location location, Duration leaseLength) {
    this.client = client;
    this.location = location;
    this.objects = new S3Objects(client, location);
    this.leaseLength = leaseLength;
  }

  /**
   * Backups at a URI, with the credentials of the environment: {@code AWS_ACCESS_KEY_ID} and {@code
   * AWS_SECRET_ACCESS_KEY}, system properties, the profile in {@code ~/.aws}, or the role of the
   * machine. Does not connect.
   *
   * @throws IllegalArgumentException if the URI is wrong
   */
  public static S3Target at(URI uri) {
    return at(uri, DefaultCredentialsProvider.builder().build(), LEASE, SILENCE_TIMEOUT);
  }

  /**
   * Backups at a URI, with an access key. Does not connect.
   *
   * @throws IllegalArgumentException if the URI is wrong
   */
  public static S3Target at(URI uri, String accessKey, String secretKey) {
    return at(uri, key(accessKey, secretKey), LEASE, SILENCE_TIMEOUT);
  }

  static AwsCredentialsProvider key(String accessKey, String secretKey) {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey));
  }

  static S3Target at(
      URI uri, AwsCredentialsProvider credentials, Duration lease, Duration silenceTimeout) {
    S3Location location = S3Location.of(uri);
    S3ClientBuilder builder =
        S3Client.builder()
            .credentialsProvider(credentials)
            // In chunks, an empty body has bytes, which meet a closed connection if the server
            // answers the head alone: "412 Precondition Failed".
            .serviceConfiguration(c -> c.chunkedEncodingEnabled(false))
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(CONNECT_TIMEOUT)
                    .socketTimeout(silenceTimeout))
            .forcePathStyle(location.isPathStyle())
            // Bodies have an MD5, which every server knows.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
    if (location.endpoint() != null) {
      builder.endpointOverride(location.endpoint());
    }
    String region = location.region();
    if (region != null || location.endpoint() != null) {
      builder.region(region == null ? Region.US_EAST_1 : Region.of(region));
    }
    try {
      return new S3Target(builder.build(), location, lease);
    } catch (SdkClientException e) { // only the region is looked up
      throw S3Location.wrong(
          uri,
          "it has no region, and the environment has none. Add ?region=eu-central-1, or set"
              + " AWS_REGION ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  @Override
  public Closeable lock(String name) throws IOException {
    if (!isMarked()) {
      if (objects.isAny()) {
        throw BackupMarker.foreign(
            "is not empty and holds no backups of Rockpool", "" + this, null);
      }
      byte[] marker = BackupMarker.TEXT.getBytes(StandardCharsets.US_ASCII);
      objects.put(BackupMarker.NAME, marker, marker.length);
    }
    String object = "locks/" + name;
    S3Lease lease = S3Lease.acquire(objects, object, leaseLength);
    boolean isPrepared = false;
    try {
      requireConditions(object);
      abortUploads(name);
      leases.put(name, lease);
      isPrepared = true;
      return () -> {
        leases.remove(name, lease);
        lease.close();
      };
    } finally {
      if (!isPrepared) {
        lease.close();
      }
    }
  }

  private boolean isMarked() throws IOException {
    S3Objects.Small marker = objects.small(BackupMarker.NAME);
    return marker != null && BackupMarker.isWhole(marker.text(), toString(), null);
  }

  /** Two processes could have a lock of a server that writes whatever the condition. */
  private void requireConditions(String object) throws IOException {
    if (!hasConditions) {
      if (objects.putIf(null, object, "") != null || objects.putIf(NO_ETAG, object, "") != null) {
        objects.delete(object);
        throw new IOException(
            "the server ignores the conditions If-None-Match and If-Match of writes, so nothing"
                + " keeps two backups apart; use a server that supports them");
      }
      hasConditions = true;
    }
  }

  /** Ends what a killed holder of a lock had begun to store. */
  private void abortUploads(String lock) {
    for (String folder :
        lock.equals(BackupTarget.LOG) ? List.of("log/") : List.of("files/", "backups/")) {
      try {
        int ended = objects.abortAll(folder);
        LOGGER.debug("{} incomplete uploads below {}/{} were ended.", ended, this, folder);
      } catch (IOException e) {
        LOGGER.warn("Incomplete uploads stay below {}/{} for now.", this, folder, e);
      }
    }
  }

  /** Throws unless the lock of a folder is held. */
  private void checkLock(String name) throws IOException {
    S3Lease lease = leases.get(name.startsWith("log/") ? BackupTarget.LOG : BACKUPS);
    if (lease == null) {
      throw new IllegalStateException("Nothing is stored without a lock: " + name);
    }
    lease.check();
  }

  @Override
  public void put(String name, long bytes, InputStream content) throws IOException {
    new S3Upload(objects, name, () -> checkLock(name)).run(bytes, content);
  }

  @Override
  public InputStream get(String name) throws IOException {
    requireBackups();
    return objects.get(name);
  }

  @Override
  public Map<String, Long> list(String folder) throws IOException {
    requireBackups();
    return objects.list(folder);
  }

  private void requireBackups() throws IOException {
    if (!hasBackups) {
      if (!isMarked()) {
        throw BackupMarker.missing(toString(), null);
      }
      hasBackups = true;
    }
  }

  @Override
  public void delete(String name) throws IOException {
    if (leases.isEmpty()) {
      throw new IllegalStateException("Nothing is deleted without a lock: " + name);
    }
    for (S3Lease lease : leases.values()) {
      lease.check();
    }
    objects.delete(name);
  }

  S3Objects objects() {
    return objects;
  }

  /** Closes the client. Locks that are held end by themselves. */
  @Override
  public void close() {
    client.close();
  }

  @Override
  public String toString() {
    return location.toString();
  }
}
