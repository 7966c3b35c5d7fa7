package io.rockpool.testing;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.Fallback;
import io.rockpool.codec.TypeRef;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** A class loader of its own for one version of some classes, given as source. */
public final class SourceLoader extends ClassLoader {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Shared and never closed: listing the JDK's classes takes most of a compilation. */
  private static final JavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

  /** The classes of each source, by their names. Many tests have the same source. */
  private static final Map<String, Map<String, byte[]>> COMPILED = new HashMap<>();

  private final Map<String, byte[]> classes;

  /** Compiles a source file; its public class is {@code app.Main}. */
  public SourceLoader(String source) {
    super(SourceLoader.class.getClassLoader());
    synchronized (COMPILED) {
      classes = COMPILED.computeIfAbsent(source, SourceLoader::compile);
    }
  }

  private static Map<String, byte[]> compile(String main) {
    String source = "package app; import java.util.*; import java.io.*;\n" + main;
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("memory:/Main.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    Output output = new Output();
    boolean done =
        COMPILER.getTask(null, output, null, List.of("-proc:none"), null, List.of(file)).call();
    if (!done) {
      throw new IllegalArgumentException(source);
    }
    return output.classes;
  }

  private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, byte[]> classes = new HashMap<>();

    Output() {
      super(FILES);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location,
        String className,
        JavaFileObject.Kind kind,
        javax.tools.FileObject sibling) {
      URI uri = URI.create("memory:/" + className.replace('.', '/') + ".class");
      return new SimpleJavaFileObject(uri, kind) {
        @Override
        public OutputStream openOutputStream() {
          return new ByteArrayOutputStream() {
            @Override
            public void close() {
              classes.put(className, toByteArray());
            }
          };
        }
      };
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.get(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    byte[] bytes = classes.get(name.replace(".class", "").replace('/', '.'));
    return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
  }

  /** Returns {@code app.Main}. */
  @SuppressWarnings("unchecked")
  public Class<Object> main() {
    return (Class<Object>) named("app.Main");
  }

  public Class<?> named(String name) {
    try {
      return loadClass(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  /** Returns what the static method {@code make} of {@code app.Main} returns. */
  public Object make() {
    try {
      return main().getMethod("make").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the codec that the static method {@code codec} of {@code app.Main} makes of a class.
   */
  @SuppressWarnings("unchecked") // the source says so
  public <T> Optional<Codec<T>> ownCodec(Class<T> of) {
    try {
      return Optional.of((Codec<T>) main().getMethod("codec").invoke(null));
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("codec of " + of, e);
    }
  }

  /** Returns the value codec of {@code app.Main} with this class loader. */
  public Codec<Object> codec(Fallback fallback) {
    return Codecs.builder()
        .classLoader(this)
        .fallback(fallback)
        .build()
        .valueCodec(TypeRef.of(main()));
  }
}
