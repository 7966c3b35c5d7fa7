package io.rockpool.jcache;

/** A value that two applications have, each from a class loader of its own. */
public record Parcel(String to, int grams) {}
