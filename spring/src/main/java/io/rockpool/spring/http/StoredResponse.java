package io.rockpool.spring.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A response to replay, and the fingerprint of its request.
 *
 * <pre>
 * version      1 byte     1
 * fingerprint  32 bytes   SHA-256 of the request
 * status       2 bytes
 * headers      2 bytes    their number, and for each of them
 *   name                  as DataOutput.writeUTF; "=" before it: replaces what outer filters set
 *   value                 as DataOutput.writeUTF
 * body                    the rest
 * </pre>
 *
 * @param fingerprint in hexadecimal digits
 * @param body never changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StoredResponse(String fingerprint, int status, List<Header> headers, byte[] body) {
  private static final byte VERSION = 1;
  private static final int FINGERPRINT_BYTES = 32;

  /** Precedes a name whose values replace those of outer filters; no name has this character. */
  private static final String REPLACES = "=";

  /** What belongs to one connection or moment, or would set an old session again. */
  private static final Set<String> NOT_STORED =
      Set.of("connection", "date", "keep-alive", "set-cookie", "trailer", "transfer-encoding");

  /** One line of the response's head. */
  record Header(String name, String value) {}

  /** The response of a request that has been handled. */
  static StoredResponse of(String fingerprint, HeldResponse response) {
    List<Header> headers = new ArrayList<>();
    for (String name : response.getHeaderNames()) {
      if (!NOT_STORED.contains(name.toLowerCase(Locale.ROOT))) {
        addInner(headers, name, List.copyOf(response.getHeaders(name)), response.outerValues(name));
      }
    }
    String type = response.getContentType();
    if (type != null
        && headers.stream().noneMatch(h -> h.name().equalsIgnoreCase("Content-Type"))) {
      headers.add(new Header("Content-Type", type));
    }
    return new StoredResponse(
        fingerprint, response.getStatus(), headers, response.getContentAsByteArray());
  }

  /** Adds the values that were set below outer filters. */
  private static void addInner(
      List<Header> headers, String name, List<String> values, List<String> outer) {
    boolean added = values.size() >= outer.size() && values.subList(0, outer.size()).equals(outer);
    for (int i = added ? outer.size() : 0; i < values.size(); i++) {
      headers.add(new Header(i == 0 && !outer.isEmpty() ? REPLACES + name : name, values.get(i)));
    }
  }

  void replayTo(HttpServletResponse response) throws IOException {
    response.setStatus(status);
    for (Header header : headers) {
      if (header.name().startsWith(REPLACES)) {
        response.setHeader(header.name().substring(REPLACES.length()), header.value());
        continue;
      }
      if (header.name().equalsIgnoreCase("Content-Type")) {
        response.setContentType(header.value());
      } else if (!header.name().equalsIgnoreCase("Content-Length")) {
        response.addHeader(header.name(), header.value());
      }
    }
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.write(HexFormat.of().parseHex(fingerprint));
      out.writeShort(status);
      out.writeShort(headers.size());
      for (Header header : headers) {
        out.writeUTF(header.name());
        out.writeUTF(header.value());
      }
      out.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException("The response cannot be stored.", e);
    }
    return bytes.toByteArray();
  }

  static StoredResponse decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte version = in.readByte();
      if (version != VERSION) {
        throw new IllegalStateException(
            "A stored response has version " + version + "; this release reads " + VERSION + ".");
      }
      String fingerprint = HexFormat.of().formatHex(in.readNBytes(FINGERPRINT_BYTES));
      int status = in.readUnsignedShort();
      int count = in.readUnsignedShort();
      List<Header> headers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        headers.add(new Header(in.readUTF(), in.readUTF()));
      }
      return new StoredResponse(fingerprint, status, headers, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("A stored response is cut.", e);
    }
  }
}
