package io.rockpool.jcache;

/** A key that two applications have, each from a class loader of its own. */
public record ParcelId(String office, long number) {}
