package io.rockpool.sample.crawler;

import java.util.List;

/**
 * What the crawler keeps of one directory, which is a package if it has classes.
 *
 * @param classes how many there are
 * @param bytes of their class files
 * @param uses the other packages that the classes mention, sorted
 */
public record PackageSummary(int classes, long bytes, List<String> uses) {}
