package io.rockpool.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Notes the source files of Rockpool whose code a call enters. Loads Rockpool's classes again, each
 * method with a call of {@link #enter} at its start.
 */
public final class EnteredFiles extends URLClassLoader {
  private static final String OURS = "io.rockpool.";

  /** The thread whose calls are noted; null while there is none. */
  private static volatile @Nullable Thread noted;

  private static final Set<String> FILES = new TreeSet<>();
  private static long methods;

  public EnteredFiles() {
    super(new URL[0], EnteredFiles.class.getClassLoader());
  }

  /** The files that a call enters on this thread, each as the name of its top-level class. */
  public static Set<String> of(Runnable call) {
    FILES.clear();
    noted = Thread.currentThread();
    try {
      call.run();
    } finally {
      noted = null;
    }
    return new TreeSet<>(FILES);
  }

  /** How many methods a call enters on this thread, each as often as it does. */
  public static long methodsOf(Runnable call) {
    methods = 0;
    Set<String> unused = of(call);
    return methods;
  }

  /** Called by every method of the loaded classes. */
  public static void enter(String file) {
    if (noted == Thread.currentThread()) {
      methods++;
      FILES.add(file);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || name.equals(EnteredFiles.class.getName())) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? noting(name) : loaded;
    }
  }

  private Class<?> noting(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      ClassReader reader = new ClassReader(in.readAllBytes());
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(new Noting(writer, name.replaceFirst("\\$.*", "")), 0);
      byte[] bytes = writer.toByteArray();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static final class Noting extends ClassVisitor {
    private final String file;

    Noting(ClassVisitor next, String file) {
      super(Opcodes.ASM9, next);
      this.file = file;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitCode() {
          super.visitCode();
          visitLdcInsn(file);
          visitMethodInsn(
              Opcodes.INVOKESTATIC,
              Type.getInternalName(EnteredFiles.class),
              "enter",
              "(Ljava/lang/String;)V",
              false);
        }
      };
    }
  }
}
