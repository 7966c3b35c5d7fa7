package io.rockpool.benchmarks;

import io.rockpool.benchmarks.Comparison.Measured;
import io.rockpool.benchmarks.Rounds.Score;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Scores in a file, so that a table can be measured in pieces: a line for each round, with what was
 * measured, its {@link Score#perSecond} and its {@link Score#perCpuSecond}.
 */
final class ScoreFile {
  private static final String BETWEEN = "\t";

  private final Path file;
  private final Map<String, List<Score>> scores = new LinkedHashMap<>();

  /** The scores that a file has, if it is there. */
  ScoreFile(Path file) throws IOException {
    this.file = file;
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        String[] parts = line.split(BETWEEN, -1);
        Score score = new Score(Double.parseDouble(parts[1]), Double.parseDouble(parts[2]));
        scores.computeIfAbsent(parts[0], key -> new ArrayList<>()).add(score);
      }
    }
  }

  /** Puts new scores in the place of older ones of the same, and writes the file. */
  void replace(Map<Measured, List<Score>> newScores) throws IOException {
    newScores.forEach((measured, rounds) -> scores.put(measured.toString(), rounds));
    List<String> lines = new ArrayList<>();
    scores.forEach(
        (measured, rounds) ->
            rounds.forEach(
                score ->
                    lines.add(
                        measured + BETWEEN + score.perSecond() + BETWEEN + score.perCpuSecond())));
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, lines);
  }

  /** All there are of these comparisons. */
  Map<Measured, List<Score>> of(List<Comparison> comparisons) {
    Map<Measured, List<Score>> found = new LinkedHashMap<>();
    for (Comparison comparison : comparisons) {
      for (Measured measured : List.of(comparison.ours(), comparison.theirs())) {
        List<Score> rounds = scores.get(measured.toString());
        if (rounds != null) {
          found.put(measured, rounds);
        }
      }
    }
    return found;
  }
}
