package io.rockpool.redis;

import java.util.Collection;
import java.util.List;

/** The servers of the data, and which has which slot. */
interface Servers extends AutoCloseable {
  /** The server that has a slot. */
  Link at(int slot);

  /** All servers that have slots. */
  Collection<Link> all();

  /** Looks again which server has which slot; returns whether it can help to repeat a command. */
  boolean refresh();

  /** How far the servers' clocks are ahead of this machine's. */
  long offsetMillis();

  /** Connects what is not connected, and asks all whether they answer. */
  void tend();

  @Override
  void close();

  /** One server that has all slots. */
  static Servers of(Link link) {
    return new Servers() {
      @Override
      public Link at(int slot) {
        return link;
      }

      @Override
      public Collection<Link> all() {
        return List.of(link);
      }

      @Override
      public boolean refresh() {
        return false;
      }

      @Override
      public long offsetMillis() {
        return link.offsetMillis();
      }

      @Override
      public void tend() {
        link.probe();
        link.connect();
      }

      @Override
      public void close() {
        link.close();
      }
    };
  }
}
