package io.rockpool.codec;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes that the codec of one declared type may encode and decode: what the type reaches, the
 * JDK's value types, and what the application allows. Loads them, so that a name in stored bytes
 * never loads any other class.
 */
final class AllowedClasses {
  private static final String FORY = "org.apache.fory.";

  private final String declaredType;

  /** What the declared type reaches. */
  private final Map<String, Class<?>> declared;

  /** What the declared type and the learned classes reach. */
  private final Map<String, Class<?>> reached;

  /**
   * Classes that a class outside the declared type names in its fields, and those of the JDK that
   * any names. They are found by name, but their instances are refused unless they are allowed.
   */
  private final Map<String, Class<?>> named = new ConcurrentHashMap<>();

  private final AllowList allowList;
  private final ClassLoader loader;
  private final @Nullable ClassCatalog catalog;

  /** The classes of keys that this process has written, by name; null for values. */
  private final @Nullable Map<String, Class<?>> keyClasses;

  /** Whether keys too have only classes that are reached or allowed. */
  private final boolean strictKeys;

  /** What is done with values of classes that have gained fields. */
  final GrownClasses grown;

  AllowedClasses(TypeRef<?> declaredType, AllowList allowList, ClassLoader loader) {
    this(declaredType, allowList, loader, null, new GrownClasses(GrownClasses.Action.WARN));
  }

  /**
   * @param catalog the other classes that have been encoded; null if no others are allowed
   * @param grown what is done with values of a class that has gained a field since
   */
  AllowedClasses(
      TypeRef<?> declaredType,
      AllowList allowList,
      ClassLoader loader,
      @Nullable ClassCatalog catalog,
      GrownClasses grown) {
    this(declaredType, allowList, loader, catalog, null, false, grown);
  }

  private AllowedClasses(
      TypeRef<?> declaredType,
      AllowList allowList,
      ClassLoader loader,
      @Nullable ClassCatalog catalog,
      @Nullable Map<String, Class<?>> keyClasses,
      boolean strictKeys,
      GrownClasses grown) {
    this.grown = grown;
    this.keyClasses = keyClasses;
    this.strictKeys = strictKeys;
    this.declaredType = declaredType.toString();
    this.declared = ReachableClasses.of(declaredType.type());
    this.reached = new ConcurrentHashMap<>(declared);
    this.allowList = allowList;
    this.loader = loader;
    this.catalog = catalog;
  }

  /** Returns the allowed classes of keys. Unless strict, writing a key allows its classes. */
  static AllowedClasses ofKeys(
      TypeRef<?> declaredType,
      AllowList allowList,
      ClassLoader loader,
      @Nullable ClassCatalog catalog,
      boolean strict) {
    return new AllowedClasses(
        declaredType,
        allowList,
        loader,
        catalog,
        new ConcurrentHashMap<>(),
        strict,
        new GrownClasses(GrownClasses.Action.REFUSE_KEY));
  }

  /** Returns whether strict codecs refuse an application's class in keys. */
  boolean refusesKey(Class<?> type) {
    return strictKeys
        && isLearnable(type)
        && reached.get(type.getName()) != type
        && !allowList.allows(type.getName());
  }

  /**
   * Allows an application's class in keys from now on. Does nothing if these are the classes of
   * values. With a catalog, the class is durable on return.
   */
  boolean learnKey(Class<?> type) {
    Map<String, Class<?>> known = keyClasses;
    if (known == null || strictKeys || !isLearnable(type)) {
      return false;
    }
    if (catalog != null) {
      learn(type);
    }
    if (!known.containsKey(type.getName())) {
      known.put(type.getName(), type);
    }
    return true;
  }

  private static boolean isLearnable(Class<?> type) {
    return !type.isHidden()
        && type.getClassLoader() != null
        && type.getClassLoader() != ClassLoader.getPlatformClassLoader()
        && !Proxy.isProxyClass(type)
        && !type.getName().startsWith(FORY) // stands for a class that is not here
        && !DeniedClasses.isDenied(type);
  }

  /**
   * Returns why a class cannot be named in stored bytes: a compiler numbers it, so after a deploy
   * the name may be that of another class. Null if it can be: it has a name, is a constant of an
   * enum, extends a class of the JDK, as the map in Spring's headers does, is on the allow-list by
   * its own name, or is a local class that is declared.
   */
  @Nullable String namelessness(Class<?> type) {
    Class<?> element = element(type);
    String name = element.getName();
    Class<?> parent = element.getSuperclass();
    boolean isConstant = parent != null && parent.isEnum();
    boolean isOfJdk =
        parent != null && parent != Object.class && parent.getName().startsWith("java.");
    boolean isNumbered =
        (element.isAnonymousClass() && !isConstant && !isOfJdk)
            || (element.isLocalClass() && declared.get(name) != element);
    return !isNumbered || name.startsWith("java.") || allowList.names(name)
        ? null
        : "Class "
            + name
            + (element.isAnonymousClass() ? " has no name" : " is local to a method")
            + ": the compiler numbers it, so another class may have its number after a deploy."
            + " Store an instance of a class that is declared with a name, outside of methods, or"
            + " allow it with Codecs.builder().allow(...).";
  }

  /** Returns whether instances of a class, or of the element type of an array, are allowed. */
  boolean allows(Class<?> type) {
    Class<?> element = element(type);
    return isAlwaysAllowed(element)
        || isLearned(element.getName())
        || isConstantBody(element)
        || learnKey(element);
  }

  /**
   * As {@link #allows}, for a class that Fory knows by number. Does not ask the catalog, which may
   * be on a server: no write of a value learns such a class.
   */
  boolean allowsByNumber(Class<?> type) {
    Class<?> element = element(type);
    return isAlwaysAllowed(element) || (keyClasses != null && !strictKeys && isLearnable(element));
  }

  private boolean isAlwaysAllowed(Class<?> element) {
    String name = element.getName();
    return element.isPrimitive()
        || JdkTypes.isAllowed(element)
        || reached.get(name) == element
        || allowList.allows(name);
  }

  /** A constant with a body is an instance of a nameless subclass of its enum. */
  private boolean isConstantBody(Class<?> type) {
    Class<?> parent = type.getSuperclass();
    return parent != null && parent.isEnum() && allows(parent);
  }

  /**
   * Returns the class with a binary name.
   *
   * @return null if it is not allowed
   * @throws ClassNotFoundException if it is allowed and there is none
   */
  @Nullable Class<?> load(String name) throws ClassNotFoundException {
    Class<?> known = reached.get(name);
    if (known == null && keyClasses != null) {
      known = keyClasses.get(name);
    }
    if (known != null) {
      return known;
    }
    boolean isSimpleKey = keyClasses != null && name.equals(SimpleKeys.name());
    if (isSimpleKey || allowList.allows(name)) {
      Class<?> allowed = Class.forName(name, false, loader);
      findFieldTypes(allowed);
      return allowed;
    }
    if (isLearned(name)) {
      Class<?> learned = Class.forName(name, false, loader);
      reach(learned);
      return learned;
    }
    known = named.get(name);
    if (known != null) {
      return known;
    }
    if (!JdkTypes.mayBeAllowed(name)) {
      return null;
    }
    Class<?> jdk = Class.forName(name, false, loader);
    return JdkTypes.isAllowed(jdk) ? jdk : null;
  }

  /** Returns whether a class is in the catalog. Asks the server if this process does not know. */
  boolean isLearned(String name) {
    return catalog != null && !DeniedClasses.isDenied(name) && catalog.contains(name);
  }

  /**
   * Returns whether encoding a class adds it to the catalog, unless it is there: {@link #learn}
   * asks that, once the whole value is encoded. That a learned class reaches it is not enough: a
   * later process may decode it before that class.
   */
  boolean mayLearn(Class<?> type) {
    Class<?> learned = learnable(type);
    String name = learned.getName();
    return catalog != null
        && !learned.isPrimitive()
        && !DeniedClasses.isDenied(learned)
        && declared.get(name) != learned
        && !allowList.allows(name);
  }

  /** Returns whether the catalog has lost a class that was learned. */
  boolean isForgotten(Class<?> learned) {
    return catalog != null && !catalog.contains(learnable(learned).getName());
  }

  /** Allows a class and the classes that it reaches from now on; durable on return. */
  void learn(Class<?> type) {
    Class<?> element = learnable(type);
    if (catalog != null && !catalog.contains(element.getName())) {
      catalog.add(element.getName());
    }
    reach(element);
  }

  /**
   * Lets Fory find the classes that a class names in its fields. Fory asks for the element type of
   * an array field before it has met an instance.
   */
  void findFieldTypes(Class<?> type) {
    Class<?> element = element(type);
    String name = element.getName();
    if (named.get(name) != element) {
      ReachableClasses.withJdk(element).forEach(named::putIfAbsent);
    }
  }

  /** Fory may ask for the type of a field although no value has an instance of it. */
  private void reach(Class<?> learned) {
    if (reached.get(learned.getName()) != learned) {
      addReachable(learned);
    }
  }

  private void addReachable(Class<?> from) {
    ReachableClasses.of(from)
        .forEach(
            (name, type) -> {
              if (!DeniedClasses.isDenied(type)) {
                reached.putIfAbsent(name, type);
              }
            });
  }

  private static Class<?> learnable(Class<?> type) {
    Class<?> element = element(type);
    Class<?> parent = element.getSuperclass();
    return parent != null && parent.isEnum() ? parent : element;
  }

  /** Returns the element type of an array of any depth, or the class itself. */
  static Class<?> element(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    return element;
  }

  /** Returns the message for a class that is not allowed: what to allow, or what to do instead. */
  String refusal(Class<?> type) {
    return Refusals.of(element(type), declaredType);
  }

  /** As {@link #refusal(Class)}, for a {@code Class} object that is part of a value. */
  String refusalOfClass(Class<?> type) {
    return Refusals.ofClassObject(element(type), declaredType);
  }

  /** As {@link #refusal(Class)}, for a name in stored bytes. */
  String refusal(String className) {
    String element =
        className.startsWith("[") ? className.replaceFirst("^\\[+L|;$", "") : className;
    return Refusals.of(element, declaredType);
  }
}
