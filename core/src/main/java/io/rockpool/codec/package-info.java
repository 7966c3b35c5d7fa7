/**
 * Turning keys and values into bytes and back.
 *
 * <ul>
 *   <li>the way in: {@link io.rockpool.codec.Codecs} picks the codec of a type, which a {@link
 *       io.rockpool.codec.TypeRef} describes
 *   <li>codecs: {@link io.rockpool.codec.Codec}, {@link io.rockpool.codec.OrderedCodec} for keys
 *       that sort, {@link io.rockpool.codec.KeyCodec} for other keys
 *   <li>values without a codec of their own: {@link io.rockpool.codec.Fallback}, {@link
 *       io.rockpool.codec.ClassCatalog}
 * </ul>
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.codec;

import org.jspecify.annotations.NullMarked;
