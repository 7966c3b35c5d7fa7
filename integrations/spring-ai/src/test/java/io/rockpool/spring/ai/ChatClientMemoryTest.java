package io.rockpool.spring.ai;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.DocumentExamples;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;

/** A chat client of Spring AI remembers its conversations after a restart. */
final class ChatClientMemoryTest {
  /** A model that answers how many messages it got, and the last one. */
  private static final class CountingModel implements ChatModel {
    @Override
    public ChatResponse call(Prompt prompt) {
      int count = prompt.getInstructions().size();
      String text = count + " " + prompt.getInstructions().get(count - 1).getText();
      return new ChatResponse(List.of(new Generation(new AssistantMessage(text))));
    }
  }

  @TempDir Path directory;

  private static ChatMemory memory(Rockpool pool) {
    // SPRINGAI
    ChatMemoryRepository conversations =
        new RockpoolChatMemoryRepository(
            pool, "chat/conversations", options -> options.entryTtl(Duration.ofDays(30)));
    ChatMemory memory =
        MessageWindowChatMemory.builder()
            .chatMemoryRepository(conversations)
            .maxMessages(20)
            .build();
    // SPRINGAI
    return memory;
  }

  private static String chat(Rockpool pool, String conversation, String text) {
    return ChatClient.builder(new CountingModel())
        .defaultAdvisors(MessageChatMemoryAdvisor.builder(memory(pool)).build())
        .build()
        .prompt(text)
        .advisors(advisor -> advisor.param(ChatMemory.CONVERSATION_ID, conversation))
        .call()
        .content();
  }

  @Test
  void itRemembersAfterARestart() {
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(chat(pool, "ann", "a")).isEqualTo("1 a");
      assertThat(chat(pool, "ann", "b")).isEqualTo("3 b");
      assertThat(chat(pool, "bob", "c")).isEqualTo("1 c");
    }
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(chat(pool, "ann", "d")).isEqualTo("5 d");
      assertThat(chat(pool, "bob", "e")).isEqualTo("3 e");
    }
  }

  @Test
  void theWindowBoundsWhatIsStored() {
    try (Rockpool pool = Rockpool.open(directory)) {
      for (int i = 0; i < 30; i++) {
        chat(pool, "ann", "m" + i);
      }
      assertThat(memory(pool).get("ann"))
          .hasSize(20)
          .last()
          .extracting(message -> message.getText())
          .asString()
          .endsWith(" m29");
    }
  }

  @Test
  void theExampleIsInTheDocuments() {
    DocumentExamples.assertIn("docs/spring-ai.md", "SPRINGAI", ChatClientMemoryTest.class);
    DocumentExamples.assertInJavadoc(
        "SPRINGAI", ChatClientMemoryTest.class, RockpoolChatMemoryRepository.class);
  }
}
