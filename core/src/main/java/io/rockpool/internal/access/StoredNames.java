package io.rockpool.internal.access;

import java.util.Locale;
import java.util.Optional;

/**
 * Names of caches of JSR-107 and of Spring, which are any strings, as names of a store, which are
 * not.
 *
 * <p>A name of printable characters stands as it is, levels included: {@code shop/orders}. What a
 * store refuses is written as {@code %} and four hexadecimal digits of its UTF-16 code unit:
 * control characters, unpaired surrogates, {@code /} where it would make an empty level, and {@code
 * %} itself. The empty name is {@code %} alone.
 */
public final class StoredNames {
  /** Begins what stands for something else. */
  public static final char ESCAPE = '%';

  private static final int HEX_DIGITS = 4;

  private StoredNames() {}

  /** The store's name of a cache. */
  public static String toStore(String name) {
    if (name.isEmpty()) {
      return String.valueOf(ESCAPE);
    }
    StringBuilder out = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (isRefused(name, i)) {
        out.append(String.format(Locale.ROOT, "%c%04X", ESCAPE, (int) c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static boolean isRefused(String name, int at) {
    char c = name.charAt(at);
    if (c == '/') {
      return at == 0 || at == name.length() - 1 || name.charAt(at - 1) == '/';
    }
    return c == ESCAPE
        || Character.isISOControl(c)
        || (Character.isSurrogate(c) && !isPaired(name, at));
  }

  private static boolean isPaired(String name, int at) {
    return Character.isHighSurrogate(name.charAt(at))
        ? at + 1 < name.length() && Character.isLowSurrogate(name.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(name.charAt(at - 1));
  }

  /** The cache's name that {@link #toStore} made into this, or empty if it made none into it. */
  public static Optional<String> fromStore(String stored) {
    if (stored.equals(String.valueOf(ESCAPE))) {
      return Optional.of("");
    }
    StringBuilder out = new StringBuilder(stored.length());
    for (int i = 0; i < stored.length(); i++) {
      char c = stored.charAt(i);
      if (c == ESCAPE) {
        if (i + HEX_DIGITS >= stored.length()) {
          return Optional.empty();
        }
        try {
          c = (char) Integer.parseInt(stored, i + 1, i + 1 + HEX_DIGITS, 16);
        } catch (NumberFormatException e) {
          return Optional.empty();
        }
        i += HEX_DIGITS;
      }
      out.append(c);
    }
    String name = out.toString();
    return toStore(name).equals(stored) ? Optional.of(name) : Optional.empty();
  }
}
