/**
 * Encryption of stored values: {@link io.rockpool.encryption.Encryption}, the option of a store,
 * and {@link io.rockpool.encryption.KeyProvider}, which has the master keys; {@link
 * io.rockpool.encryption.KeyProviders} has them in a file, an environment variable or a PKCS#12 key
 * store. See {@code docs/encryption.md}.
 */
@NullMarked
package io.rockpool.encryption;

import org.jspecify.annotations.NullMarked;
