package io.rockpool.sample.atlas;

import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Reads one class file, every instruction of it, and sums it up. */
final class ClassSurveyor extends ClassVisitor {
  private final SortedSet<String> references = new TreeSet<>();
  private String name = "";
  private @Nullable String superclass;
  private List<String> interfaces = List.of();
  private int methods;
  private int fields;
  private int instructions;
  private int strings;
  private String deepestMethod = "";
  private int deepestComplexity;

  private ClassSurveyor() {
    super(Opcodes.ASM9);
  }

  static ClassSummary survey(byte[] classFile) {
    ClassSurveyor surveyor = new ClassSurveyor();
    new ClassReader(classFile).accept(surveyor, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return surveyor.summary();
  }

  private ClassSummary summary() {
    references.remove(name);
    return new ClassSummary(
        name,
        superclass,
        interfaces,
        methods,
        fields,
        instructions,
        strings,
        deepestMethod,
        deepestComplexity,
        List.copyOf(references));
  }

  @Override
  public void visit(
      int version,
      int access,
      String internalName,
      @Nullable String signature,
      @Nullable String internalSuperclass,
      String[] internalInterfaces) {
    name = Type.getObjectType(internalName).getClassName();
    if (internalSuperclass != null) {
      superclass = mention(internalSuperclass);
    }
    interfaces = Arrays.stream(internalInterfaces).map(this::mention).toList();
  }

  @Override
  public @Nullable FieldVisitor visitField(
      int access,
      String field,
      String descriptor,
      @Nullable String signature,
      @Nullable Object value) {
    fields++;
    mention(Type.getType(descriptor));
    return null;
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    methods++;
    mention(Type.getMethodType(descriptor));
    return new MethodSurveyor(this, method);
  }

  /** Notes a class by its internal name, and returns the name with dots. */
  String mention(String internalName) {
    Type type = Type.getObjectType(internalName);
    mention(type);
    return type.getClassName();
  }

  /** Notes every class that a type is made of. */
  void mention(Type type) {
    switch (type.getSort()) {
      case Type.METHOD -> {
        mention(type.getReturnType());
        for (Type argument : type.getArgumentTypes()) {
          mention(argument);
        }
      }
      case Type.ARRAY -> mention(type.getElementType());
      case Type.OBJECT -> references.add(type.getClassName());
      default -> {
        // A primitive type is no class.
      }
    }
  }

  void add(String method, int methodInstructions, int methodStrings, int complexity) {
    instructions += methodInstructions;
    strings += methodStrings;
    if (complexity > deepestComplexity) {
      deepestMethod = method;
      deepestComplexity = complexity;
    }
  }
}
