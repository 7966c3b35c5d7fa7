package io.rockpool.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.internal.format.LibraryVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is kept by hand about versions. */
final class ComponentsTest {
  private static final String LIST = "/META-INF/sbom/rocksdbjni.cdx.json";

  /** A text of each library that names its version, which is in the native code. */
  private static final Map<String, String> TEXTS =
      Map.of(
          "bzip2", "\0%s, 13-Jul-2019\0",
          "lz4", "\0%s\0",
          "snappy", "/snappy-%s/",
          "zlib", " deflate %s Copyright ",
          "zstd", "\0%s\0");

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = RocksDB.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return in.readAllBytes();
    }
  }

  @Test
  void theListOfBundledLibrariesHasTheVersionsOfTheNativeCode() throws IOException {
    JsonNode list = JsonMapper.shared().readTree(resource(LIST));
    Map<String, String> versions = new TreeMap<>();
    list.get("components")
        .forEach(it -> versions.put(it.get("name").asString(), it.get("version").asString()));
    assertThat(versions).containsOnlyKeys(TEXTS.keySet());
    String code = new String(resource("/librocksdbjni-linux64.so"), StandardCharsets.ISO_8859_1);
    versions.forEach(
        (name, version) ->
            assertThat(code.contains(TEXTS.get(name).formatted(version)))
                .as("%s %s is in rocksdbjni", name, version)
                .isTrue());
    list.get("components")
        .forEach(
            it -> assertThat(it.get("purl").asString()).endsWith(it.get("version").asString()));
  }

  @Test
  void itIsOfTheRocksDbOfTheBuild() throws IOException {
    JsonNode rocksdb =
        JsonMapper.shared().readTree(resource(LIST)).get("metadata").get("component");
    List<String> build =
        Module.all().stream()
            .flatMap(it -> it.at("properties/rocksdbjni.version").stream())
            .toList();
    assertThat(build).containsExactly(rocksdb.get("version").asString());
  }

  @Test
  void theLibraryKnowsItsVersion() {
    Module core = Module.publishedJars().get(0);
    assertThat(core.artifactId()).isEqualTo("rockpool-core");
    assertThat(core.version().replace("-SNAPSHOT", "")).isEqualTo(LibraryVersion.TEXT);
  }
}
