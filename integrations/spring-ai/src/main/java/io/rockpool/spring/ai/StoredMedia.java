package io.rockpool.spring.ai;

import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.content.Media;
import org.springframework.util.MimeType;

/** A {@link Media} as it is stored. Its data is a text, the text of a URL, or bytes. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StoredMedia(
    @Nullable String id,
    String name,
    String mimeType,
    @Nullable String text,
    @Nullable String url,
    byte @Nullable [] bytes) {

  static StoredMedia of(Media media) {
    Object data = media.getData();
    return new StoredMedia(
        media.getId(),
        media.getName(),
        media.getMimeType().toString(),
        data instanceof String text ? text : null,
        data instanceof URL url ? url.toExternalForm() : null,
        data instanceof byte[] bytes ? bytes : null);
  }

  Media toMedia() {
    Media.Builder builder = Media.builder().mimeType(MimeType.valueOf(mimeType)).name(name);
    if (id != null) {
      builder.id(id);
    }
    if (text != null) {
      builder.data(text);
    }
    if (url != null) {
      builder.data(parsed(url));
    }
    if (bytes != null) {
      builder.data(bytes);
    }
    return builder.build();
  }

  private static URL parsed(String url) {
    try {
      return new URL(url);
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }
}
