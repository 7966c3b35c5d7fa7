package io.rockpool.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.rockpool.Rockpool;
import io.rockpool.testing.DocumentExamples;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An assistant of LangChain4j remembers its conversations after a restart. */
final class AssistantMemoryTest {
  private interface Assistant {
    String chat(@MemoryId long user, @UserMessage String text);
  }

  /** A model that answers how many messages it got, and the last one. */
  private static final class CountingModel implements ChatModel {
    @Override
    public ChatResponse doChat(ChatRequest request) {
      int count = request.messages().size();
      ChatMessage last = request.messages().get(count - 1);
      String text = ((dev.langchain4j.data.message.UserMessage) last).singleText();
      return ChatResponse.builder().aiMessage(AiMessage.from(count + " " + text)).build();
    }
  }

  @TempDir Path directory;

  private static Assistant assistant(Rockpool pool) {
    // LANGCHAIN4J
    ChatMemoryStore memories =
        new RockpoolChatMemoryStore(
            pool, "chat/memories", options -> options.entryTtl(Duration.ofDays(30)));
    ChatMemoryProvider provider =
        id ->
            MessageWindowChatMemory.builder()
                .id(id)
                .maxMessages(20)
                .chatMemoryStore(memories)
                .build();
    // LANGCHAIN4J
    return AiServices.builder(Assistant.class)
        .chatModel(new CountingModel())
        .chatMemoryProvider(provider)
        .build();
  }

  @Test
  void itRemembersAfterARestart() {
    try (Rockpool pool = Rockpool.open(directory)) {
      Assistant assistant = assistant(pool);
      assertThat(assistant.chat(1, "a")).isEqualTo("1 a");
      assertThat(assistant.chat(1, "b")).isEqualTo("3 b");
      assertThat(assistant.chat(2, "c")).isEqualTo("1 c");
    }
    try (Rockpool pool = Rockpool.open(directory)) {
      Assistant assistant = assistant(pool);
      assertThat(assistant.chat(1, "d")).isEqualTo("5 d");
      assertThat(assistant.chat(2, "e")).isEqualTo("3 e");
      assertThat(assistant.chat(3, "f")).isEqualTo("1 f");
    }
  }

  @Test
  void theWindowBoundsWhatIsStored() {
    try (Rockpool pool = Rockpool.open(directory)) {
      Assistant assistant = assistant(pool);
      for (int i = 0; i < 30; i++) {
        assistant.chat(1, "m" + i);
      }
      assertThat(new RockpoolChatMemoryStore(pool, "chat/memories").getMessages(1L))
          .hasSize(20)
          .last(InstanceOfAssertFactories.type(AiMessage.class))
          .extracting(AiMessage::text, InstanceOfAssertFactories.STRING)
          .endsWith(" m29");
    }
  }

  @Test
  void theExampleIsInTheDocuments() {
    DocumentExamples.assertIn("docs/langchain4j.md", "LANGCHAIN4J", AssistantMemoryTest.class);
    DocumentExamples.assertInJavadoc(
        "LANGCHAIN4J", AssistantMemoryTest.class, RockpoolChatMemoryStore.class);
  }
}
