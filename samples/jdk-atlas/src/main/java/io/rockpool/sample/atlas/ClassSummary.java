package io.rockpool.sample.atlas;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the atlas keeps of one class. Class names are binary, with dots.
 *
 * @param name the class
 * @param superclass what it extends; null for {@code java.lang.Object}
 * @param interfaces what it implements
 * @param methods how many methods it declares, constructors included
 * @param fields how many fields it declares
 * @param instructions the bytecode instructions of all its methods
 * @param strings how many string constants its code loads
 * @param deepestMethod the method with the most paths through it, or an empty name
 * @param deepestComplexity that method's cyclomatic complexity
 * @param references every class it mentions, sorted
 */
public record ClassSummary(
    String name,
    @Nullable String superclass,
    List<String> interfaces,
    int methods,
    int fields,
    int instructions,
    int strings,
    String deepestMethod,
    int deepestComplexity,
    List<String> references)
    implements Serializable {}
