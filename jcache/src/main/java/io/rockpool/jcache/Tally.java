package io.rockpool.jcache;

/** What one operation counts as. */
record Tally(long hits, long misses, long puts, long removals) {
  static final Tally NOTHING = new Tally(0, 0, 0, 0);

  Tally plus(Tally other) {
    return new Tally(
        hits + other.hits, misses + other.misses, puts + other.puts, removals + other.removals);
  }
}
