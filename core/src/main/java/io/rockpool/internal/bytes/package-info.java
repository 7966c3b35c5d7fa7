/** Encodings of numbers in byte arrays, for codecs, records and write batches. */
@NullMarked
package io.rockpool.internal.bytes;

import org.jspecify.annotations.NullMarked;
