package io.rockpool.internal.access;

import io.rockpool.codec.ClassCatalog;
import java.util.SortedSet;

/** The classes that a store decodes, as the modules above it use them. */
public interface StoreClasses extends ClassCatalog {
  /** The names of all. On a server, reads them there. */
  SortedSet<String> names();
}
