package io.rockpool.spring.ai;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;

/**
 * A message as it is stored: the parts of a message of Spring AI's own four classes. So a change of
 * their private fields leaves stored messages readable.
 *
 * @param other a message of another class, such as one of a model's own subclasses; the other parts
 *     are empty then
 */
record StoredChatMessage(
    MessageType type,
    @Nullable String text,
    Map<String, Object> metadata,
    List<StoredMedia> media,
    List<ToolCall> toolCalls,
    List<ToolResponse> responses,
    @Nullable Message other) {

  static StoredChatMessage of(Message message) {
    Class<?> type = message.getClass();
    if (type == UserMessage.class) {
      return of(message, ((UserMessage) message).getMedia(), List.of(), List.of());
    }
    if (type == AssistantMessage.class) {
      AssistantMessage answer = (AssistantMessage) message;
      return of(message, answer.getMedia(), answer.getToolCalls(), List.of());
    }
    if (type == SystemMessage.class) {
      return of(message, List.of(), List.of(), List.of());
    }
    if (type == ToolResponseMessage.class) {
      return of(message, List.of(), List.of(), ((ToolResponseMessage) message).getResponses());
    }
    return new StoredChatMessage(
        message.getMessageType(), null, Map.of(), List.of(), List.of(), List.of(), message);
  }

  private static StoredChatMessage of(
      Message message, List<Media> media, List<ToolCall> toolCalls, List<ToolResponse> responses) {
    return new StoredChatMessage(
        message.getMessageType(),
        message.getText(),
        new HashMap<>(message.getMetadata()),
        media.stream().map(StoredMedia::of).toList(),
        List.copyOf(toolCalls),
        List.copyOf(responses),
        null);
  }

  Message toMessage() {
    if (other != null) {
      return other;
    }
    List<Media> attached = media.stream().map(StoredMedia::toMedia).toList();
    return switch (type) {
      case USER -> userMessage(attached);
      case ASSISTANT ->
          AssistantMessage.builder()
              .content(text)
              .properties(metadata)
              .toolCalls(toolCalls)
              .media(attached)
              .build();
      case SYSTEM -> SystemMessage.builder().text(textOrEmpty()).metadata(metadata).build();
      case TOOL -> ToolResponseMessage.builder().responses(responses).metadata(metadata).build();
    };
  }

  private Message userMessage(List<Media> attached) {
    return UserMessage.builder().text(textOrEmpty()).media(attached).metadata(metadata).build();
  }

  /** The text of a message whose class requires one. */
  private String textOrEmpty() {
    return text == null ? "" : text;
  }
}
