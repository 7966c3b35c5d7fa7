package io.rockpool.cache;

/** An entry with its value. */
record Found<V>(HotEntry entry, V value) {}
