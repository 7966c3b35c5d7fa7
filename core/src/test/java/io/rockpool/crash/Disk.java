package io.rockpool.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a disk has of a directory if the power fails: what was forced to it, and of the rest nothing
 * or something. Nothing is there for being written alone; a file that was forced is not found again
 * until the directory that has its name was forced, too.
 */
final class Disk {
  /** A change of a file's contents; the bytes at an offset, or the length where there are none. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Change(int at, long offset, byte @Nullable [] bytes) {
    boolean isLength() {
      return bytes == null;
    }

    /** How long a file is at the least after it, or just so long. */
    long end() {
      return bytes == null ? offset : offset + bytes.length;
    }
  }

  /** A change of a directory: a name is another file's, or no one's. */
  private record Naming(int at, Path name, @Nullable Node node) {}

  /** A file or directory, whatever its name. */
  private static final class Node {
    final boolean isDirectory;
    byte[] forced = {};
    final List<Change> pending = new ArrayList<>();
    long length;

    Node(boolean isDirectory) {
      this.isDirectory = isDirectory;
    }
  }

  private static final class Descriptor {
    final Path path;
    final Node node;
    final boolean appends;
    long position;

    Descriptor(Path path, Node node, boolean appends) {
      this.path = path;
      this.node = node;
      this.appends = appends;
    }
  }

  private final Path root;
  private final Map<Path, Node> names = new TreeMap<>();
  private final Map<Path, Node> forcedNames = new TreeMap<>();
  private final List<Naming> pendingNames = new ArrayList<>();
  private final Map<Integer, Descriptor> open = new HashMap<>();

  /** The disk below a directory that is not there yet. */
  Disk(Path root) {
    this.root = root;
  }

  /** Takes over what a call has done. */
  void apply(TracedCall call) {
    if (!call.succeeded()) {
      return;
    }
    switch (call.name()) {
      case "openat" -> open(call);
      case "close" -> open.remove(call.descriptor());
      case "mkdir" -> name(call.ended(), Path.of(call.path(0)), new Node(true));
      case "unlink", "rmdir" -> name(call.ended(), Path.of(call.path(0)), null);
      case "rename" -> rename(call.ended(), Path.of(call.path(0)), Path.of(call.path(1)));
      default -> {
        Descriptor file = open.get(call.descriptor());
        if (file != null) {
          change(file, call);
        }
      }
    }
  }

  private void open(TracedCall call) {
    Path path = Path.of(call.path(0));
    if (!path.startsWith(root)) {
      open.remove(call.number());
      return;
    }
    Node node = names.get(path);
    if (node == null) {
      boolean isDirectory = !call.arguments().contains("O_CREAT");
      node = new Node(isDirectory);
      name(call.ended(), path, node);
    } else if (call.arguments().contains("O_TRUNC")) {
      setLength(node, call.ended(), 0);
    }
    boolean appends = call.arguments().contains("O_APPEND");
    open.put(call.number(), new Descriptor(path, node, appends));
  }

  private void change(Descriptor file, TracedCall call) {
    switch (call.name()) {
      case "write" -> {
        long offset = file.appends ? file.node.length : file.position;
        write(file.node, call, offset);
        file.position = offset + call.number();
      }
      case "pwrite64" -> write(file.node, call, call.lastNumber());
      case "lseek" -> file.position = call.number();
      case "ftruncate" -> setLength(file.node, call.ended(), call.lastNumber());
      case "fsync", "fdatasync" -> force(file, call.begun());
      case "fallocate" -> {
        if (!call.arguments().contains("FALLOC_FL_KEEP_SIZE")) {
          throw new IllegalStateException("not known what this does: " + call);
        }
      }
      default -> throw new IllegalStateException("not known what this does: " + call);
    }
  }

  private static void write(Node node, TracedCall call, long offset) {
    byte[] bytes = Arrays.copyOf(call.strings().get(call.strings().size() - 1), call.number());
    node.pending.add(new Change(call.ended(), offset, bytes));
    node.length = Math.max(node.length, offset + bytes.length);
  }

  private static void setLength(Node node, int at, long length) {
    node.pending.add(new Change(at, length, null));
    node.length = length;
  }

  private void name(int at, Path path, @Nullable Node node) {
    if (!path.startsWith(root)) {
      return;
    }
    pendingNames.add(new Naming(at, path, node));
    put(names, path, node);
  }

  private void rename(int at, Path from, Path to) {
    if (from.startsWith(root)) {
      Node node = names.get(from);
      name(at, to, node);
      name(at, from, null);
    }
  }

  private static void put(Map<Path, Node> names, Path path, @Nullable Node node) {
    if (node == null) {
      names.remove(path);
    } else {
      names.put(path, node);
    }
  }

  /** Forces what was done before a force began. */
  private void force(Descriptor file, int begun) {
    if (file.node.isDirectory) {
      for (Naming naming : List.copyOf(pendingNames)) {
        if (naming.at < begun && file.path.equals(naming.name.getParent())) {
          put(forcedNames, naming.name, naming.node);
          pendingNames.remove(naming);
        }
      }
    } else {
      List<Change> done = file.node.pending.stream().filter(c -> c.at < begun).toList();
      file.node.forced = applied(file.node.forced, done);
      file.node.pending.removeIf(c -> c.at < begun);
    }
  }

  private static byte[] applied(byte[] contents, List<Change> changes) {
    long longest = changes.stream().mapToLong(Change::end).max().orElse(0);
    // Zero from length on.
    byte[] after = Arrays.copyOf(contents, Math.toIntExact(Math.max(contents.length, longest)));
    int length = contents.length;
    for (Change change : changes) {
      int end = (int) change.end();
      if (!change.isLength()) {
        System.arraycopy(change.bytes, 0, after, (int) change.offset, change.bytes.length);
        length = Math.max(length, end);
      } else {
        if (end < length) {
          Arrays.fill(after, end, length, (byte) 0);
        }
        length = end;
      }
    }
    return Arrays.copyOf(after, length);
  }

  /** Writes into a directory what is there if the power fails now and only what was forced is. */
  void writeForced(Path to) throws IOException {
    write(to, forcedNames, null);
  }

  /**
   * Writes into a directory what may be there if the power fails now: of what was not forced, the
   * first of the names, and of each file the first of its changes, the last of them perhaps in
   * part.
   */
  void writeSome(Path to, Random random) throws IOException {
    Map<Path, Node> some = new TreeMap<>(forcedNames);
    pendingNames
        .subList(0, random.nextInt(pendingNames.size() + 1))
        .forEach(naming -> put(some, naming.name, naming.node));
    write(to, some, random);
  }

  private void write(Path to, Map<Path, Node> there, @Nullable Random random) throws IOException {
    Files.createDirectories(to);
    for (Map.Entry<Path, Node> entry : there.entrySet()) {
      // A directory has its name before what is in it, or what is in it is lost with it.
      Path path = to.resolve(root.relativize(entry.getKey()).toString());
      Node node = entry.getValue();
      if (node.isDirectory) {
        Files.createDirectories(path);
      } else if (Files.isDirectory(path.getParent())) {
        Files.write(path, random == null ? node.forced : some(node, random));
      }
    }
  }

  private static byte[] some(Node node, Random random) {
    int kept = random.nextInt(node.pending.size() + 1);
    List<Change> changes = new ArrayList<>(node.pending.subList(0, kept));
    if (kept < node.pending.size() && !node.pending.get(kept).isLength()) {
      Change torn = node.pending.get(kept);
      byte[] part = Arrays.copyOf(torn.bytes, random.nextInt(torn.bytes.length + 1));
      changes.add(new Change(torn.at, torn.offset, part));
    }
    return applied(node.forced, changes);
  }
}
