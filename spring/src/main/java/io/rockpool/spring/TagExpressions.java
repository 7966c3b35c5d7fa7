package io.rockpool.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ObjectUtils;

/** Texts of tags with expressions, parsed once. */
final class TagExpressions {
  private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
  private static final String RESULT = "result";
  private static final Map<String, Parsed> PARSED = new ConcurrentHashMap<>();

  private record Parsed(Expression expression, boolean namesResult) {}

  private TagExpressions() {}

  /** The tags of a call that has returned. */
  static Set<String> evaluate(
      String[] texts,
      @Nullable Object target,
      Method method,
      @Nullable Object[] arguments,
      @Nullable Object result) {
    return evaluate(texts, target, method, arguments, result, null);
  }

  /** The tags of the value of one element of a call with many. */
  static Set<String> evaluate(
      String[] texts,
      @Nullable Object target,
      Method method,
      @Nullable Object[] arguments,
      @Nullable Object result,
      @Nullable Object element) {
    MethodBasedEvaluationContext context = context(target, method, arguments);
    if (element != null) {
      context.setVariable("element", element);
    }
    context.setVariable(RESULT, ObjectUtils.unwrapOptional(result));
    Set<String> tags = new LinkedHashSet<>();
    for (String text : texts) {
      add(tags, parsed(text), context);
    }
    return tags;
  }

  /** The tags of a call that is about to be made: those that do not depend on its result. */
  static Set<String> evaluateBefore(
      String[] texts, @Nullable Object target, Method method, @Nullable Object[] arguments) {
    MethodBasedEvaluationContext context = context(target, method, arguments);
    Set<String> tags = new LinkedHashSet<>();
    for (String text : texts) {
      Parsed parsed = parsed(text);
      if (!parsed.namesResult()) {
        add(tags, parsed, context);
      }
    }
    return tags;
  }

  private static MethodBasedEvaluationContext context(
      @Nullable Object target, Method method, @Nullable Object[] arguments) {
    return new MethodBasedEvaluationContext(
        target == null ? method : target, method, arguments, NAMES);
  }

  private static void add(Set<String> tags, Parsed parsed, MethodBasedEvaluationContext context) {
    for (Object tag : elements(parsed.expression().getValue(context))) {
      if (tag != null) {
        tags.add(tag.toString());
      }
    }
  }

  /**
   * Parses texts before their method runs.
   *
   * @throws IllegalStateException if one is no expression
   */
  static void check(String[] texts, Method method) {
    for (String text : texts) {
      try {
        Parsed unused = parsed(text);
      } catch (ParseException e) {
        throw new IllegalStateException(
            "The tag \"" + text + "\" of " + method + " is no expression: " + e.getMessage(), e);
      }
    }
  }

  /** Whether a text names the result of its method. */
  static boolean namesResult(String text) {
    return parsed(text).namesResult();
  }

  private static Parsed parsed(String text) {
    return PARSED.computeIfAbsent(
        text,
        absent -> {
          Expression expression =
              new SpelExpressionParser().parseExpression(absent, ParserContext.TEMPLATE_EXPRESSION);
          return new Parsed(expression, namesResult(expression));
        });
  }

  private static boolean namesResult(Expression expression) {
    return expression instanceof CompositeStringExpression parts
        ? Stream.of(parts.getExpressions()).anyMatch(TagExpressions::namesResult)
        : expression instanceof SpelExpression one && namesResult(one.getAST());
  }

  private static boolean namesResult(SpelNode node) {
    if (node.toStringAST().equals("#" + RESULT)) {
      return true;
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      if (namesResult(node.getChild(i))) {
        return true;
      }
    }
    return false;
  }

  private static Collection<?> elements(@Nullable Object value) {
    if (value instanceof Collection<?> collection) {
      return collection;
    }
    if (ObjectUtils.isArray(value)) {
      return Arrays.asList(ObjectUtils.toObjectArray(value));
    }
    List<@Nullable Object> one = new ArrayList<>(1);
    one.add(value);
    return one;
  }
}
