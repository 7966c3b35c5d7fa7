package io.rockpool.sample.atlas;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Counts the instructions of one method, and the paths through it. */
final class MethodSurveyor extends MethodVisitor {
  private final ClassSurveyor owner;
  private final String method;
  private int instructions;
  private int strings;

  /** McCabe's number: one, and one more for each place where the way parts. */
  private int complexity = 1;

  MethodSurveyor(ClassSurveyor owner, String method) {
    super(Opcodes.ASM9);
    this.owner = owner;
    this.method = method;
  }

  @Override
  public void visitEnd() {
    owner.add(method, instructions, strings, complexity);
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    instructions++;
    if (opcode != Opcodes.GOTO && opcode != Opcodes.JSR) {
      complexity++;
    }
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
    instructions++;
    complexity += labels.length;
  }

  @Override
  public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
    instructions++;
    complexity += labels.length;
  }

  @Override
  public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
    if (type != null) {
      complexity++;
      owner.mention(type);
    }
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    instructions++;
    owner.mention(type);
  }

  @Override
  public void visitFieldInsn(int opcode, String type, String name, String descriptor) {
    instructions++;
    owner.mention(type);
    owner.mention(Type.getType(descriptor));
  }

  @Override
  public void visitMethodInsn(
      int opcode, String type, String name, String descriptor, boolean isInterface) {
    instructions++;
    owner.mention(type);
    owner.mention(Type.getMethodType(descriptor));
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String descriptor, Handle bootstrap, Object... arguments) {
    instructions++;
    owner.mention(Type.getMethodType(descriptor));
    owner.mention(bootstrap.getOwner());
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    instructions++;
    owner.mention(Type.getType(descriptor));
  }

  @Override
  public void visitLdcInsn(Object value) {
    instructions++;
    if (value instanceof String) {
      strings++;
    } else if (value instanceof Type type) {
      owner.mention(type);
    }
  }

  @Override
  public void visitInsn(int opcode) {
    instructions++;
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    instructions++;
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    instructions++;
  }

  @Override
  public void visitIincInsn(int variable, int increment) {
    instructions++;
  }
}
