package io.rockpool.jcache.internal.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The most similar known word, for messages about a mistyped one. */
public final class Suggestion {
  /** One letter in so many may be wrong, and one more: further words are other words. */
  private static final int LETTERS_PER_MISTAKE = 3;

  private Suggestion() {}

  /** The word nearest to {@code typed}, or empty if none is near. */
  public static Optional<String> to(String typed, Collection<String> words) {
    int farthest = 1 + typed.length() / LETTERS_PER_MISTAKE;
    return words.stream()
        .min(Comparator.<String>comparingInt(word -> distance(typed, word)).thenComparing(it -> it))
        .filter(word -> distance(typed, word) <= farthest);
  }

  /** How many letters must be added, left out, replaced, or swapped with the next. */
  private static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int replaced = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        edits[i][j] = Math.min(replaced, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
      }
    }
    return edits[a.length()][b.length()];
  }
}
