package io.rockpool.codec;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.collections.Transformer;
import org.apache.commons.collections.functors.ChainedTransformer;
import org.apache.commons.collections.functors.ConstantTransformer;
import org.apache.commons.collections.functors.InvokerTransformer;
import org.apache.commons.collections.keyvalue.TiedMapEntry;
import org.apache.commons.collections.map.LazyMap;

/**
 * The best-known chain of gadgets, and each of its parts: a hash set whose element's hash code
 * looks into a lazy map, which calls any method there is. And their bytes, as someone makes them
 * who lets a codec write anything.
 */
public final class Gadgets {
  static final String EXPLOITED = "rockpool.test.exploited";
  static final String LIBRARY = "org.apache.commons.collections";

  private static ForyCodec<Object> recklessCodec;

  record Holder(Object held) implements Serializable {}

  private Gadgets() {}

  /** A set that, once it is deserialized, has set a system property. */
  static Object chain() throws ReflectiveOperationException {
    Transformer[] steps = {
      new ConstantTransformer(System.class),
      new InvokerTransformer(
          "getMethod",
          new Class<?>[] {String.class, Class[].class},
          new Object[] {"setProperty", new Class<?>[] {String.class, String.class}}),
      new InvokerTransformer(
          "invoke",
          new Class<?>[] {Object.class, Object[].class},
          new Object[] {null, new Object[] {EXPLOITED, "true"}})
    };
    Transformer harmless = new ConstantTransformer(1);
    Map<?, ?> lazy = LazyMap.decorate(new HashMap<>(), harmless);
    TiedMapEntry entry = new TiedMapEntry(lazy, "key");
    HashSet<Object> set = new HashSet<>();
    set.add(entry);
    lazy.clear();
    Field factory = LazyMap.class.getDeclaredField("factory");
    factory.setAccessible(true);
    factory.set(lazy, new ChainedTransformer(steps));
    return set;
  }

  /** The chain and what it is made of, by what to call them. */
  static Map<String, Object> all() throws ReflectiveOperationException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("chain", chain());
    all.put("lazy map", LazyMap.decorate(new HashMap<>(), new ConstantTransformer(1)));
    all.put("entry", new TiedMapEntry(new HashMap<>(), "key"));
    all.put("call", new InvokerTransformer("toString", null, null));
    all.put("calls", new ChainedTransformer(new Transformer[] {new ConstantTransformer("x")}));
    all.put("array", new Transformer[] {new ConstantTransformer("x")});
    return all;
  }

  /** A gadget as it is, or where a value of a declared type has room for anything. */
  private static Object place(String name, boolean held) throws ReflectiveOperationException {
    Object gadget = all().get(name);
    return held ? new Holder(gadget) : gadget;
  }

  /** As the JDK writes it. */
  static byte[] java(String name, boolean held) throws IOException, ReflectiveOperationException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(place(name, held));
    }
    return bytes.toByteArray();
  }

  /** As Fory writes it; called within {@link #reckless}. */
  public static byte[] fory(String name, boolean held) throws ReflectiveOperationException {
    try {
      return recklessCodec().encode(place(name, held));
    } finally {
      System.clearProperty(EXPLOITED); // writing runs it, too
    }
  }

  /** Reads it, as a codec would that let anything in; called within {@link #reckless}. */
  public static Object read(byte[] bytes) {
    return recklessCodec().decode(bytes, 0, bytes.length);
  }

  private static synchronized ForyCodec<Object> recklessCodec() {
    if (recklessCodec == null) {
      TypeRef<Object> type = TypeRef.of(Object.class);
      AllowList anything = new AllowList(Set.of(), Set.of(LIBRARY, "java", "io.rockpool"));
      AllowedClasses all = new AllowedClasses(type, anything, Gadgets.class.getClassLoader());
      recklessCodec = new ForyCodec<>(type, false, ForyRuntime.forValues(all));
    }
    return recklessCodec;
  }

  /**
   * The same classes once more, with a Fory whose own list of dangerous classes does not have
   * these: it would not write them otherwise.
   */
  static URLClassLoader reckless() {
    return new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader()) {
      @Override
      protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!name.equals("org.apache.fory.resolver.DisallowedList")) {
          return super.findClass(name);
        }
        byte[] bytes;
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
          String list = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
          for (String listed : List.of(LIBRARY, "java.lang.System")) {
            list = list.replace(listed, "-".repeat(listed.length())); // as long as it was
          }
          bytes = list.getBytes(StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
          throw new ClassNotFoundException(name, e);
        }
        return defineClass(name, bytes, 0, bytes.length);
      }
    };
  }

  private static URL[] classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> url(Path.of(entry)))
        .toArray(URL[]::new);
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }
}
