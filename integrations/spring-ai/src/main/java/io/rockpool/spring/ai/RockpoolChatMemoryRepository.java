package io.rockpool.spring.ai;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.StructureOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.messages.Message;
import org.springframework.util.Assert;

/**
 * Stores Spring AI's conversations in a map of a Rockpool store. Thread-safe.
 *
 * <pre>{@code
 * ChatMemoryRepository conversations =
 *     new RockpoolChatMemoryRepository(
 *         pool, "chat/conversations", options -> options.entryTtl(Duration.ofDays(30)));
 * ChatMemory memory =
 *     MessageWindowChatMemory.builder()
 *         .chatMemoryRepository(conversations)
 *         .maxMessages(20)
 *         .build();
 * }</pre>
 *
 * <p><b>Values.</b> All messages of a conversation are one value. They come back as they were:
 * text, metadata, media, tool calls, and messages of a model's own classes. A message whose
 * metadata cannot be encoded is refused with an {@link
 * io.rockpool.error.UnencodableValueException}, and the conversation stays as it was.
 *
 * <p><b>Atomicity.</b> Each operation is atomic. In {@link Rockpool#atomically} it joins the
 * transaction. Spring AI reads a conversation and then saves it, so the last of two concurrent
 * saves of one conversation wins.
 *
 * <p><b>Durability.</b> As of any collection: a save that returned survives {@code kill -9}. See
 * {@link StructureOptions#durability} for a power loss.
 *
 * <p><b>Expiry.</b> With {@link StructureOptions#entryTtl} a conversation expires that long after
 * it was last saved. An expired conversation has no messages and is not listed.
 */
public final class RockpoolChatMemoryRepository implements ChatMemoryRepository {
  private final PersistentMap<String, List<StoredChatMessage>> conversations;

  /**
   * Opens the conversations under a name of a store, with the options of the name.
   *
   * @param pool must stay open while this object is used
   * @param name a name as of any collection, such as {@code "chat/conversations"}
   */
  public RockpoolChatMemoryRepository(Rockpool pool, String name) {
    this(pool, name, options -> options);
  }

  /**
   * Opens the conversations under a name of a store.
   *
   * @param pool must stay open while this object is used
   * @param name a name as of any collection, such as {@code "chat/conversations"}
   * @param options changes the options of the map, such as its TTL and durability
   */
  public RockpoolChatMemoryRepository(
      Rockpool pool, String name, UnaryOperator<StructureOptions> options) {
    conversations =
        pool.map(
            name, TypeRef.of(String.class), new TypeRef<List<StoredChatMessage>>() {}, options);
  }

  /** Returns the ids of all conversations that have been saved. Reads all of them. */
  @Override
  public List<String> findConversationIds() {
    return new ArrayList<>(conversations.keySet());
  }

  /**
   * Returns the messages of a conversation, or an empty list. One read of all its messages.
   *
   * @throws IllegalArgumentException if the id is blank
   */
  @Override
  public List<Message> findByConversationId(String conversationId) {
    checkId(conversationId);
    List<Message> messages = new ArrayList<>();
    List<StoredChatMessage> stored = conversations.get(conversationId);
    if (stored != null) {
      stored.forEach(message -> messages.add(message.toMessage()));
    }
    return messages;
  }

  /**
   * Replaces the messages of a conversation. One write of all its messages.
   *
   * @throws IllegalArgumentException if the id is blank, or a message is null
   */
  @Override
  public void saveAll(String conversationId, List<Message> messages) {
    checkId(conversationId);
    Assert.notNull(messages, "messages cannot be null");
    Assert.noNullElements(messages, "messages cannot contain null elements");
    conversations.put(conversationId, messages.stream().map(StoredChatMessage::of).toList());
  }

  /**
   * Deletes a conversation, if it is there.
   *
   * @throws IllegalArgumentException if the id is blank
   */
  @Override
  public void deleteByConversationId(String conversationId) {
    checkId(conversationId);
    conversations.remove(conversationId);
  }

  private static void checkId(String conversationId) {
    Assert.hasText(conversationId, "conversationId cannot be null or empty");
  }
}
