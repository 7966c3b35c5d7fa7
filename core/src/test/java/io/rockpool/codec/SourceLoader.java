package io.rockpool.codec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A class loader of its own for one version of some classes, given as source. */
public final class SourceLoader extends ClassLoader {
  private final Map<String, byte[]> classes = new HashMap<>();

  /** Compiles a source file; its public class is {@code app.Main}. */
  public SourceLoader(String source) {
    super(SourceLoader.class.getClassLoader());
    compile("package app; import java.util.*; import java.io.*;\n" + source);
  }

  private void compile(String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("memory:/Main.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean done =
          compiler
              .getTask(null, new Output(files), null, List.of("-proc:none"), null, List.of(file))
              .call();
      if (!done) {
        throw new IllegalArgumentException(source);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class Output extends ForwardingJavaFileManager<JavaFileManager> {
    Output(JavaFileManager files) {
      super(files);
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

  /** Returns {@code app.Main}. */
  @SuppressWarnings("unchecked")
  public Class<Object> main() {
    return (Class<Object>) named("app.Main");
  }

  Class<?> named(String name) {
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

  /** Returns the value codec of {@code app.Main} with this class loader. */
  Codec<Object> codec(Fallback fallback) {
    return Codecs.builder()
        .classLoader(this)
        .fallback(fallback)
        .build()
        .valueCodec(TypeRef.of(main()));
  }
}
