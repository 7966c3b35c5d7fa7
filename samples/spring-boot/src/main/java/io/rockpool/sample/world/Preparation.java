package io.rockpool.sample.world;

/** A country that will be asked for in a language. */
public record Preparation(String country, String language) {}
