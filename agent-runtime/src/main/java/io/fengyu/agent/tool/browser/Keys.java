package io.fengyu.agent.tool.browser;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Keys of a keyboard, alone or with others held down: {@code Enter}, {@code Control+Shift+K}. */
final class Keys {

  private static final Pattern PLUS = Pattern.compile("(?<=.)\\+");

  // Name, code of the key in browsers, what it writes.
  private record Key(String name, int code, String text) {}

  private static final Map<String, Integer> MODIFIERS =
      Map.of("alt", 1, "control", 2, "ctrl", 2, "meta", 4, "command", 4, "shift", 8);
  private static final List<Key> NAMED =
      List.of(
          new Key("Enter", 13, "\r"),
          new Key("Tab", 9, ""),
          new Key("Escape", 27, ""),
          new Key("Backspace", 8, ""),
          new Key("Delete", 46, ""),
          new Key("Insert", 45, ""),
          new Key("Home", 36, ""),
          new Key("End", 35, ""),
          new Key("PageUp", 33, ""),
          new Key("PageDown", 34, ""),
          new Key("ArrowLeft", 37, ""),
          new Key("ArrowUp", 38, ""),
          new Key("ArrowRight", 39, ""),
          new Key("ArrowDown", 40, ""),
          new Key("Space", 32, " "));

  private Keys() {}

  /** The events of a press, in order. */
  static List<ObjectNode> press(String written) throws ToolException {
    var parts = PLUS.split(written, -1);
    int modifiers = 0;
    for (int i = 0; i < parts.length - 1; i++) {
      var modifier = MODIFIERS.get(parts[i].toLowerCase(Locale.ROOT));
      if (modifier == null) {
        throw new ToolException("no key to hold down: " + parts[i]);
      }
      modifiers |= modifier;
    }
    var key = key(parts[parts.length - 1]);
    boolean writes = !key.text().isEmpty() && (modifiers & ~8) == 0;
    var down = event(writes ? "keyDown" : "rawKeyDown", key, modifiers);
    if (writes) {
      down.put("text", key.text());
    }
    return List.of(down, event("keyUp", key, modifiers));
  }

  private static ObjectNode event(String type, Key key, int modifiers) {
    return Cdp.params(
        "type",
        type,
        "modifiers",
        modifiers,
        "key",
        key.name().equals("Space") ? " " : key.name(),
        "code",
        code(key),
        "windowsVirtualKeyCode",
        key.code());
  }

  private static String code(Key key) {
    return key.name().length() > 1
        ? key.name()
        : Character.isLetter(key.name().charAt(0))
            ? "Key" + key.name().toUpperCase(Locale.ROOT)
            : Character.isDigit(key.name().charAt(0)) ? "Digit" + key.name() : "";
  }

  private static Key key(String name) throws ToolException {
    if (name.codePointCount(0, name.length()) == 1) {
      return new Key(name, name.toUpperCase(Locale.ROOT).codePointAt(0), name);
    }
    if (name.matches("[Ff]([1-9]|1[0-2])")) {
      return new Key("F" + name.substring(1), 111 + Integer.parseInt(name.substring(1)), "");
    }
    return NAMED.stream()
        .filter(key -> key.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> new ToolException("no such key: " + name));
  }
}
