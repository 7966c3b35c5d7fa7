package io.rockpool.s3;

import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.BackupTargetProvider;
import java.net.URI;
import java.util.Set;

/** Finds {@link S3Target} by the scheme {@code s3}. */
public final class S3TargetProvider implements BackupTargetProvider {
  /** For {@link java.util.ServiceLoader}. */
  public S3TargetProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("s3");
  }

  @Override
  public BackupTarget open(URI uri) {
    return S3Target.at(uri);
  }
}
