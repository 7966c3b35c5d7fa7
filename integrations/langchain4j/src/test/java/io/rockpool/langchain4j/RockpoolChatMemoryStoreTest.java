package io.rockpool.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import dev.langchain4j.store.memory.chat.InMemoryChatMemoryStore;
import io.rockpool.Rockpool;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Seeds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the store itself promises; {@link AssistantMemoryTest} uses it through LangChain4j. */
final class RockpoolChatMemoryStoreTest {
  private static final String NAME = "chat/memories";
  private static final Duration TTL = Duration.ofHours(1);

  private record Visitor(String tenant, long number) {}

  private final FakeClock clock = new FakeClock();
  @TempDir Path directory;
  private Rockpool pool;
  private RockpoolChatMemoryStore store;

  @BeforeEach
  void open() {
    pool = Rockpool.at(directory).clock(clock).open();
    store = new RockpoolChatMemoryStore(pool, NAME);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private void reopen() {
    close();
    open();
  }

  private static List<ChatMessage> messages(String... texts) {
    return List.of(texts).stream().<ChatMessage>map(UserMessage::from).toList();
  }

  @Test
  void messagesOfEveryKindSurviveReopening() {
    ToolExecutionRequest request =
        ToolExecutionRequest.builder().id("7").name("weather").arguments("{\"at\":1}").build();
    List<ChatMessage> messages =
        List.of(
            SystemMessage.from("Be brief."),
            UserMessage.from("ann", "What is this?"),
            UserMessage.from(
                TextContent.from("Ünïcode 🐚"), ImageContent.from("https://example.org/a.png")),
            UserMessage.from(ImageContent.from("iVBORw0KGgo=", "image/png")),
            AiMessage.from("I ask.", List.of(request)),
            ToolExecutionResultMessage.from(request, "rain"),
            AiMessage.from("Rain."),
            CustomMessage.from(Map.of("mood", "wet")));
    store.updateMessages("ann", messages);
    reopen();
    assertThat(store.getMessages("ann")).isEqualTo(messages);
  }

  @Test
  void anUnknownMemoryIsEmpty() {
    assertThat(store.getMessages("nobody")).isEmpty();
    store.deleteMessages("nobody");
    assertThat(store.getMessages("nobody")).isEmpty();
  }

  @Test
  void aDeletedMemoryStaysDeleted() {
    store.updateMessages("ann", messages("one"));
    store.updateMessages("bob", messages("two"));
    store.deleteMessages("ann");
    reopen();
    assertThat(store.getMessages("ann")).isEmpty();
    assertThat(store.getMessages("bob")).isEqualTo(messages("two"));
  }

  @Test
  void idsOfDifferentTypesAreDifferentMemories() {
    List<Object> ids =
        List.of("1", 1, 1L, new UUID(0, 1), Duration.ofSeconds(1), new Visitor("acme", 1));
    ids.forEach(id -> store.updateMessages(id, messages("of " + id.getClass())));
    reopen();
    for (Object id : ids) {
      assertThat(store.getMessages(id)).isEqualTo(messages("of " + id.getClass()));
    }
  }

  @Test
  void aMemoryExpiresAfterItsLastUpdate() {
    store = new RockpoolChatMemoryStore(pool, "chat/brief", options -> options.entryTtl(TTL));
    store.updateMessages("ann", messages("one"));
    clock.advanceMillis(TTL.toMillis() - 1);
    store.updateMessages("ann", messages("one", "two"));
    clock.advanceMillis(TTL.toMillis() - 1);
    assertThat(store.getMessages("ann")).isEqualTo(messages("one", "two"));
    clock.advanceMillis(1);
    assertThat(store.getMessages("ann")).isEmpty();
  }

  @Test
  void theTtlIsKeptWithTheName() {
    new RockpoolChatMemoryStore(pool, "chat/brief", options -> options.entryTtl(TTL));
    reopen();
    store = new RockpoolChatMemoryStore(pool, "chat/brief");
    store.updateMessages("ann", messages("one"));
    clock.advanceMillis(TTL.toMillis());
    assertThat(store.getMessages("ann")).isEmpty();
  }

  @Test
  void operationsJoinATransaction() {
    store.updateMessages("ann", messages("one"));
    store.updateMessages("bob", messages("two"));
    assertThatThrownBy(
            () ->
                pool.runAtomically(
                    tx -> {
                      store.updateMessages("ann", messages("lost"));
                      store.deleteMessages("bob");
                      assertThat(store.getMessages("ann")).isEqualTo(messages("lost"));
                      throw new IllegalStateException("undone");
                    }))
        .hasMessage("undone");
    assertThat(store.getMessages("ann")).isEqualTo(messages("one"));
    assertThat(store.getMessages("bob")).isEqualTo(messages("two"));
  }

  @Test
  void aReturnedListBelongsToItsCaller() {
    store.updateMessages("ann", messages("one"));
    store.getMessages("ann").clear();
    assertThat(store.getMessages("ann")).isEqualTo(messages("one"));
  }

  @Test
  void itDoesWhatLangChain4jsOwnStoreDoes() {
    Seeds.all()
        .forEach(
            seed -> {
              Random random = new Random(seed);
              ChatMemoryStore expected = new InMemoryChatMemoryStore();
              for (int i = 0; i < 300; i++) {
                step(random, expected, seed + "/" + random.nextInt(5));
              }
            });
  }

  private void step(Random random, ChatMemoryStore expected, String id) {
    switch (random.nextInt(60)) {
      case 0 -> reopen();
      case 1, 2, 3, 4, 5, 6 -> {
        store.deleteMessages(id);
        expected.deleteMessages(id);
      }
      default -> {
        List<ChatMessage> messages =
            IntStream.range(0, random.nextInt(4))
                .<ChatMessage>mapToObj(i -> AiMessage.from("" + random.nextInt()))
                .toList();
        store.updateMessages(id, messages);
        expected.updateMessages(id, messages);
      }
    }
    assertThat(store.getMessages(id)).isEqualTo(expected.getMessages(id));
  }
}
