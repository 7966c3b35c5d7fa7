package io.rockpool.langchain4j;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.StructureOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Stores LangChain4j's chat memories in a map of a Rockpool store. Thread-safe.
 *
 * <pre>{@code
 * ChatMemoryStore memories =
 *     new RockpoolChatMemoryStore(
 *         pool, "chat/memories", options -> options.entryTtl(Duration.ofDays(30)));
 * ChatMemoryProvider provider =
 *     id ->
 *         MessageWindowChatMemory.builder()
 *             .id(id)
 *             .maxMessages(20)
 *             .chatMemoryStore(memories)
 *             .build();
 * }</pre>
 *
 * <p><b>Keys.</b> A memory's id is a key of a collection: a string, number, {@code UUID}, enum or
 * record. Ids of different types are different memories: {@code 1} is not {@code "1"}.
 *
 * <p><b>Values.</b> All messages of a memory are one value, in LangChain4j's own JSON. Attributes
 * of messages have the types that JSON gives them.
 *
 * <p><b>Atomicity.</b> Each operation is atomic. In {@link Rockpool#atomically} it joins the
 * transaction. LangChain4j reads a memory and then updates it, so the last of two concurrent
 * updates of one memory wins.
 *
 * <p><b>Durability.</b> As of any collection: an update that returned survives {@code kill -9}. See
 * {@link StructureOptions#durability} for a power loss.
 *
 * <p><b>Expiry.</b> With {@link StructureOptions#entryTtl} a memory expires that long after its
 * last update. An expired memory has no messages.
 */
public final class RockpoolChatMemoryStore implements ChatMemoryStore {
  private final PersistentMap<Object, String> memories;

  /**
   * Opens the memories under a name of a store, with the options of the name.
   *
   * @param pool must stay open while this object is used
   * @param name a name as of any collection, such as {@code "chat/memories"}
   */
  public RockpoolChatMemoryStore(Rockpool pool, String name) {
    this(pool, name, options -> options);
  }

  /**
   * Opens the memories under a name of a store.
   *
   * @param pool must stay open while this object is used
   * @param name a name as of any collection, such as {@code "chat/memories"}
   * @param options changes the options of the map, such as its TTL and durability
   */
  public RockpoolChatMemoryStore(
      Rockpool pool, String name, UnaryOperator<StructureOptions> options) {
    memories = pool.map(name, Object.class, String.class, options);
  }

  /** Returns the messages of a memory, or an empty list. One read of all its messages. */
  @Override
  public List<ChatMessage> getMessages(Object memoryId) {
    String json = memories.get(memoryId);
    return json == null
        ? new ArrayList<>()
        : new ArrayList<>(ChatMessageDeserializer.messagesFromJson(json));
  }

  /** Replaces the messages of a memory. One write of all its messages. */
  @Override
  public void updateMessages(Object memoryId, List<ChatMessage> messages) {
    memories.put(memoryId, ChatMessageSerializer.messagesToJson(messages));
  }

  /** Deletes the messages of a memory, if there are any. */
  @Override
  public void deleteMessages(Object memoryId) {
    memories.remove(memoryId);
  }
}
