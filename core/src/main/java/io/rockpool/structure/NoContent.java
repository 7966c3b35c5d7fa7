package io.rockpool.structure;

import io.rockpool.codec.Codec;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UndecodableValueException;

/**
 * The empty value of a set's elements, and the empty key of a structure with one value. It encodes
 * to no bytes.
 */
enum NoContent {
  HERE;

  static final TypeRef<NoContent> TYPE = TypeRef.of(NoContent.class);

  static final Codec<NoContent> CODEC =
      new Codec<>() {
        @Override
        public String id() {
          return "present";
        }

        @Override
        public byte[] encode(NoContent value) {
          return new byte[0];
        }

        @Override
        public NoContent decode(byte[] bytes, int offset, int length) {
          if (length > 0) {
            throw new UndecodableValueException(
                "There are " + length + " bytes where none were expected.", null);
          }
          return HERE;
        }

        @Override
        public boolean immutable() {
          return true;
        }
      };
}
