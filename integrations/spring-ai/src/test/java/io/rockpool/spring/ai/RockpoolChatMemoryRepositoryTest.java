package io.rockpool.spring.ai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Seeds;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.InMemoryChatMemoryRepository;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.util.MimeTypeUtils;

/** What the repository itself promises; {@link ChatClientMemoryTest} uses it through Spring AI. */
final class RockpoolChatMemoryRepositoryTest {
  private static final String NAME = "chat/conversations";
  private static final Duration TTL = Duration.ofHours(1);

  /** As the message of a model that has more to say. */
  private static final class ReasonedMessage extends AssistantMessage {
    private final String reason;

    private ReasonedMessage(String text, String reason) {
      super(text, Map.of(), List.of(), List.of());
      this.reason = reason;
    }
  }

  private final FakeClock clock = new FakeClock();
  @TempDir Path directory;
  private Rockpool pool;
  private RockpoolChatMemoryRepository repository;

  @BeforeEach
  void open() {
    pool = Rockpool.at(directory).clock(clock).open();
    repository = new RockpoolChatMemoryRepository(pool, NAME);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private void reopen() {
    close();
    open();
  }

  private static List<Message> messages(String... texts) {
    return Arrays.stream(texts).<Message>map(UserMessage::new).toList();
  }

  @Test
  void messagesOfEveryKindSurviveReopening() {
    List<Message> messages =
        List.of(
            SystemMessage.builder().text("Be brief.").metadata(Map.of("rank", 1L)).build(),
            UserMessage.builder().text("Ünïcode 🐚").metadata(Map.of("at", Instant.EPOCH)).build(),
            AssistantMessage.builder()
                .content(null)
                .properties(Map.of("reasons", List.of("a", 2.5)))
                .toolCalls(List.of(new ToolCall("7", "function", "weather", "{\"at\":1}")))
                .build(),
            ToolResponseMessage.builder()
                .responses(List.of(new ToolResponse("7", "weather", "rain")))
                .metadata(Map.of("cached", true))
                .build(),
            new AssistantMessage("Rain."));
    repository.saveAll("ann", messages);
    reopen();
    assertThat(repository.findByConversationId("ann")).isEqualTo(messages);
  }

  @Test
  void mediaSurviveReopening() throws Exception {
    byte[] picture = {1, 2, 3};
    List<Media> media =
        List.of(
            Media.builder().mimeType(MimeTypeUtils.IMAGE_PNG).data(picture).id("p-1").build(),
            new Media(MimeTypeUtils.IMAGE_GIF, URI.create("https://example.org/a.gif")),
            Media.builder()
                .mimeType(MimeTypeUtils.parseMimeType("text/plain;charset=utf-8"))
                .data(URI.create("https://example.org/b").toURL())
                .name("notes")
                .build());
    repository.saveAll(
        "ann",
        List.of(
            UserMessage.builder().text("See").media(media).build(),
            AssistantMessage.builder().content("Saw").media(media).build()));
    reopen();
    List<Message> found = repository.findByConversationId("ann");
    assertSame(((UserMessage) found.get(0)).getMedia(), media);
    assertSame(((AssistantMessage) found.get(1)).getMedia(), media);
  }

  private static void assertSame(List<Media> found, List<Media> expected) {
    assertThat(found.stream().map(RockpoolChatMemoryRepositoryTest::parts))
        .containsExactlyElementsOf(
            expected.stream().map(RockpoolChatMemoryRepositoryTest::parts).toList());
  }

  private static List<Object> parts(Media media) {
    Object data = media.getData();
    return Arrays.asList(
        media.getId(),
        media.getName(),
        media.getMimeType(),
        data.getClass(),
        data instanceof byte[] bytes ? Arrays.toString(bytes) : data.toString());
  }

  @Test
  void aMessageOfAModelsOwnClassKeepsItsClass() {
    repository.saveAll("ann", List.of(new ReasonedMessage("Rain.", "clouds")));
    reopen();
    Message found = repository.findByConversationId("ann").get(0);
    assertThat(found).isExactlyInstanceOf(ReasonedMessage.class);
    assertThat(((ReasonedMessage) found).reason).isEqualTo("clouds");
    assertThat(found.getText()).isEqualTo("Rain.");
  }

  @Test
  void whatCannotBeEncodedIsRefusedAndChangesNothing() {
    repository.saveAll("ann", messages("one"));
    Message running =
        UserMessage.builder().text("two").metadata(Map.of("by", Thread.currentThread())).build();
    assertThatThrownBy(() -> repository.saveAll("ann", List.of(running)))
        .isInstanceOf(UnencodableValueException.class);
    assertThat(repository.findByConversationId("ann")).isEqualTo(messages("one"));
  }

  @Test
  void blankIdsAndNullsAreRefused() {
    assertThatThrownBy(() -> repository.findByConversationId(" "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> repository.deleteByConversationId(null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> repository.saveAll("", messages()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> repository.saveAll("ann", Arrays.asList((Message) null)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(repository.findConversationIds()).isEmpty();
  }

  @Test
  void aConversationExpiresAfterItWasLastSaved() {
    repository =
        new RockpoolChatMemoryRepository(pool, "chat/brief", options -> options.entryTtl(TTL));
    repository.saveAll("ann", messages("one"));
    clock.advanceMillis(TTL.toMillis() - 1);
    repository.saveAll("ann", messages("one", "two"));
    clock.advanceMillis(TTL.toMillis() - 1);
    assertThat(repository.findByConversationId("ann")).hasSize(2);
    clock.advanceMillis(1);
    assertThat(repository.findByConversationId("ann")).isEmpty();
    assertThat(repository.findConversationIds()).isEmpty();
  }

  @Test
  void operationsJoinATransaction() {
    repository.saveAll("ann", messages("one"));
    repository.saveAll("bob", messages("two"));
    assertThatThrownBy(
            () ->
                pool.runAtomically(
                    tx -> {
                      repository.saveAll("ann", messages("lost"));
                      repository.deleteByConversationId("bob");
                      assertThat(repository.findByConversationId("bob")).isEmpty();
                      throw new IllegalStateException("undone");
                    }))
        .hasMessage("undone");
    assertThat(repository.findByConversationId("ann")).isEqualTo(messages("one"));
    assertThat(repository.findByConversationId("bob")).isEqualTo(messages("two"));
  }

  @Test
  void itDoesWhatSpringAisOwnRepositoryDoes() {
    Seeds.all()
        .forEach(
            seed -> {
              Random random = new Random(seed);
              repository.findConversationIds().forEach(repository::deleteByConversationId);
              ChatMemoryRepository expected = new InMemoryChatMemoryRepository();
              for (int i = 0; i < 300; i++) {
                step(random, expected, "c-" + random.nextInt(5));
              }
            });
  }

  private void step(Random random, ChatMemoryRepository expected, String id) {
    switch (random.nextInt(60)) {
      case 0 -> reopen();
      case 1, 2, 3, 4, 5, 6 -> {
        repository.deleteByConversationId(id);
        expected.deleteByConversationId(id);
      }
      default -> {
        List<Message> messages =
            IntStream.range(0, random.nextInt(4))
                .<Message>mapToObj(i -> new AssistantMessage("" + random.nextInt()))
                .toList();
        repository.saveAll(id, messages);
        expected.saveAll(id, messages);
      }
    }
    assertThat(repository.findByConversationId(id)).isEqualTo(expected.findByConversationId(id));
    assertThat(repository.findConversationIds())
        .containsExactlyInAnyOrderElementsOf(expected.findConversationIds());
  }
}
