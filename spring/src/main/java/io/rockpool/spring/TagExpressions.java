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
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ObjectUtils;

/** Texts of tags with expressions, parsed once. */
final class TagExpressions {
  private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
  private static final Map<String, Expression> PARSED = new ConcurrentHashMap<>();

  private TagExpressions() {}

  /** The tags of a call that has returned. */
  static Set<String> evaluate(
      String[] texts,
      @Nullable Object target,
      Method method,
      @Nullable Object[] arguments,
      @Nullable Object result) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(
            target == null ? method : target, method, arguments, NAMES);
    context.setVariable("result", ObjectUtils.unwrapOptional(result));
    Set<String> tags = new LinkedHashSet<>();
    for (String text : texts) {
      Expression expression = PARSED.computeIfAbsent(text, TagExpressions::parse);
      for (Object tag : elements(expression.getValue(context))) {
        if (tag != null) {
          tags.add(tag.toString());
        }
      }
    }
    return tags;
  }

  /**
   * Parses texts before their method runs.
   *
   * @throws IllegalStateException if one is no expression
   */
  static void check(String[] texts, Method method) {
    for (String text : texts) {
      try {
        Expression unused = PARSED.computeIfAbsent(text, TagExpressions::parse);
      } catch (ParseException e) {
        throw new IllegalStateException(
            "The tag \"" + text + "\" of " + method + " is no expression: " + e.getMessage(), e);
      }
    }
  }

  private static Expression parse(String text) {
    return new SpelExpressionParser().parseExpression(text, ParserContext.TEMPLATE_EXPRESSION);
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
