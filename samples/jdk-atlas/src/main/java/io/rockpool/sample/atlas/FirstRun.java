package io.rockpool.sample.atlas;

import java.io.Serializable;

/**
 * The run that filled the cache, kept beside what it filled it with.
 *
 * @param parsed how many classes it parsed, in all its parts if it was killed in between
 * @param millis how long all its parts took
 */
public record FirstRun(int parsed, long millis) implements Serializable {}
