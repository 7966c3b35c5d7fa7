package io.rockpool.structure;

import io.rockpool.codec.Codec;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UndecodableValueException;

/**
 * The empty value of a set's elements, and the empty key of a structure with one value. It encodes
 * to no bytes.
 */
enum Present {
  HERE;

  static final TypeRef<Present> TYPE = TypeRef.of(Present.class);

  static final Codec<Present> CODEC =
      new Codec<>() {
        @Override
        public String id() {
          return "present";
        }

        @Override
        public byte[] encode(Present value) {
          return new byte[0];
        }

        @Override
        public Present decode(byte[] bytes, int offset, int length) {
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
