package io.rockpool.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The descriptions of what is published, of each module of the build. */
final class PublishedModulesTest {
  static List<Module> published() {
    return Module.published();
  }

  static List<Module> jars() {
    return Module.publishedJars();
  }

  private static Module module(String artifactId) {
    return Module.all().stream()
        .filter(it -> it.artifactId().equals(artifactId))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theBomHasThePublishedModulesAndNothingElse() {
    Module bom = module("rockpool-bom");
    String dependency = "dependencyManagement/dependencies/dependency/";
    List<String> names = Module.publishedJars().stream().map(Module::artifactId).toList();
    assertThat(names).contains("rockpool-core", "rockpool-camel", "rockpool-cli");
    assertThat(bom.at(dependency + "artifactId")).containsExactlyInAnyOrderElementsOf(names);
    assertThat(bom.at(dependency + "groupId")).containsOnly("io.rockpool");
    assertThat(bom.at(dependency + "version")).containsOnly("${project.version}");
  }

  /** Else Maven may run these tests before the jar of that module is there. */
  @Test
  void thisModuleIsBuiltAfterAllOthers() {
    assertThat(module("rockpool-artifacts").at("dependencies/dependency/artifactId"))
        .contains("rockpool-benchmarks")
        .containsAll(
            jars().stream()
                .map(Module::artifactId)
                .filter(name -> !name.equals("rockpool-core")) // comes with the command
                .toList());
  }

  @ParameterizedTest
  @MethodSource("published")
  void eachHasANameAndADescription(Module module) {
    assertThat(module.at("name")).hasSize(1).allMatch(it -> it.startsWith("Rockpool"));
    assertThat(module.at("description")).hasSize(1).doesNotContain("");
  }

  @ParameterizedTest
  @MethodSource("jars")
  void eachHasSourcesAndJavadoc(Module module) {
    assertThat(module.at("build/plugins/plugin/artifactId"))
        .contains("maven-source-plugin", "maven-javadoc-plugin");
  }

  @ParameterizedTest
  @ValueSource(strings = {"url", "licenses", "developers", "scm"})
  void whatIsPublishedAboutTheProjectIsInOnePlace(String element) {
    List<String> found =
        Module.all().stream()
            .filter(it -> !it.at(element).isEmpty())
            .map(Module::artifactId)
            .toList();
    assertThat(found).containsExactly("rockpool-bom");
  }

  @ParameterizedTest
  @ValueSource(strings = {"LICENSE", "NOTICE"})
  void theCopyForTheJarsIsThatOfTheRepository(String name) throws IOException {
    assertThat(
            Module.root()
                .resolve("parent/src/main/maven-shared-archive-resources/META-INF/" + name))
        .hasSameTextualContentAs(Module.root().resolve(name));
    assertThat(Files.size(Module.root().resolve(name))).isPositive();
  }
}
