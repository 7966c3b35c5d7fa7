/**
 * Turning keys and values into bytes and back. {@link io.rockpool.codec.Codecs} is the way in: it
 * picks the codec of a type. {@link io.rockpool.codec.OrderedCodec} is for keys that sort.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.codec;

import org.jspecify.annotations.NullMarked;
