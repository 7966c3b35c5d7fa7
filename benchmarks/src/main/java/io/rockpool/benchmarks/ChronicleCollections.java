package io.rockpool.benchmarks;

import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import org.jspecify.annotations.Nullable;

/**
 * {@link CollectionPeer#CHRONICLE}: what was read is known by the name of the reader, and stays in
 * files that are never written again.
 */
final class ChronicleCollections implements PeerCollections, PeerCollections.Queue {
  private final ChronicleQueue queue;
  private final ExcerptAppender appender;
  private final ExcerptTailer tailer;

  ChronicleCollections(Path directory) {
    queue = SingleChronicleQueueBuilder.binary(directory.resolve("chronicle")).build();
    appender = queue.createAppender();
    tailer = queue.createTailer("reader");
  }

  @Override
  public Queue queue() {
    return this;
  }

  @Override
  public void offer(byte[] element) {
    try (DocumentContext document = appender.writingDocument()) {
      bytes(document).write(element);
    }
  }

  @Override
  public byte @Nullable [] poll() {
    try (DocumentContext document = tailer.readingDocument()) {
      if (!document.isPresent()) {
        return null;
      }
      byte[] element = new byte[(int) bytes(document).readRemaining()];
      bytes(document).read(element);
      return element;
    }
  }

  private static Bytes<?> bytes(DocumentContext document) {
    return document.wire().bytes();
  }

  @Override
  public void close() {
    tailer.close();
    appender.close();
    queue.close();
  }
}
