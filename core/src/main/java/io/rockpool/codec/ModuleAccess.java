package io.rockpool.codec;

import io.rockpool.error.UnencodableValueException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.InaccessibleObjectException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an application that is a module must open, for messages. */
final class ModuleAccess {
  /** In messages of the JDK, for reflection and for code of Fory's in an unnamed module. */
  private static final Pattern CLOSED =
      Pattern.compile("module (\\S+) does not (?:export|\"opens) ([\\w.$]+)\"? to ");

  private ModuleAccess() {}

  /** Makes a member accessible. */
  static void open(AccessibleObject member) {
    try {
      member.setAccessible(true);
    } catch (InaccessibleObjectException e) {
      throw new UnencodableValueException(member + " cannot be read." + hint(e), e);
    }
  }

  /** Returns what to write, with a space in front; empty if an error has another cause. */
  static String hint(Throwable error) {
    Matcher closed = CLOSED.matcher(String.valueOf(error.getMessage()));
    return closed.find() && !closed.group(1).startsWith("java.")
        ? " Write \"opens "
            + closed.group(2)
            + ";\" in the module-info of module "
            + closed.group(1)
            + ", without \"to\": generated code of no module reads its classes."
        : "";
  }
}
