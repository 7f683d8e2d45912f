package io.fengyu.agent.tool.computer;

import java.awt.AWTException;
import java.awt.GraphicsConfiguration;
import java.awt.GraphicsDevice;
import java.awt.GraphicsEnvironment;
import java.awt.Image;
import java.awt.MouseInfo;
import java.awt.Rectangle;
import java.awt.Robot;
import java.awt.Toolkit;
import java.awt.datatransfer.StringSelection;
import java.awt.event.InputEvent;
import java.awt.event.KeyEvent;
import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.imageio.ImageIO;

/**
 * A program of its own that works the screen, mouse and keyboard: a line of words separated by tabs
 * is a request, and a line that begins with {@code ok} or {@code error} its answer. A display that
 * goes away ends this program and not the service.
 */
final class DesktopProgram {

  private static final int MODIFIED_PAUSE_MS = 15;
  private static final Map<String, Integer> KEYS =
      Map.ofEntries(
          Map.entry("control", KeyEvent.VK_CONTROL),
          Map.entry("ctrl", KeyEvent.VK_CONTROL),
          Map.entry("shift", KeyEvent.VK_SHIFT),
          Map.entry("alt", KeyEvent.VK_ALT),
          Map.entry("meta", KeyEvent.VK_META),
          Map.entry("command", KeyEvent.VK_META),
          Map.entry("super", KeyEvent.VK_WINDOWS),
          Map.entry("win", KeyEvent.VK_WINDOWS),
          Map.entry("enter", KeyEvent.VK_ENTER),
          Map.entry("return", KeyEvent.VK_ENTER),
          Map.entry("tab", KeyEvent.VK_TAB),
          Map.entry("escape", KeyEvent.VK_ESCAPE),
          Map.entry("esc", KeyEvent.VK_ESCAPE),
          Map.entry("space", KeyEvent.VK_SPACE),
          Map.entry("backspace", KeyEvent.VK_BACK_SPACE),
          Map.entry("delete", KeyEvent.VK_DELETE),
          Map.entry("insert", KeyEvent.VK_INSERT),
          Map.entry("home", KeyEvent.VK_HOME),
          Map.entry("end", KeyEvent.VK_END),
          Map.entry("pageup", KeyEvent.VK_PAGE_UP),
          Map.entry("pagedown", KeyEvent.VK_PAGE_DOWN),
          Map.entry("arrowup", KeyEvent.VK_UP),
          Map.entry("arrowdown", KeyEvent.VK_DOWN),
          Map.entry("arrowleft", KeyEvent.VK_LEFT),
          Map.entry("arrowright", KeyEvent.VK_RIGHT),
          Map.entry("up", KeyEvent.VK_UP),
          Map.entry("down", KeyEvent.VK_DOWN),
          Map.entry("left", KeyEvent.VK_LEFT),
          Map.entry("right", KeyEvent.VK_RIGHT));
  // What a keyboard of the United States writes with its own keys, and with Shift.
  private static final String PLAIN = "`-=[]\\;',./ \t\n";
  private static final int[] PLAIN_KEYS = {
    KeyEvent.VK_BACK_QUOTE,
    KeyEvent.VK_MINUS,
    KeyEvent.VK_EQUALS,
    KeyEvent.VK_OPEN_BRACKET,
    KeyEvent.VK_CLOSE_BRACKET,
    KeyEvent.VK_BACK_SLASH,
    KeyEvent.VK_SEMICOLON,
    KeyEvent.VK_QUOTE,
    KeyEvent.VK_COMMA,
    KeyEvent.VK_PERIOD,
    KeyEvent.VK_SLASH,
    KeyEvent.VK_SPACE,
    KeyEvent.VK_TAB,
    KeyEvent.VK_ENTER
  };
  private static final String SHIFTED = "~_+{}|:\"<>?";
  private static final String SHIFTED_DIGITS = ")!@#$%^&*(";

  private final Robot robot;

  private DesktopProgram() throws AWTException {
    robot = new Robot();
    robot.setAutoDelay(5);
  }

  /** Answers until there is nothing more to read. */
  public static void main(String[] args) throws IOException {
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    DesktopProgram desktop;
    try {
      desktop = new DesktopProgram();
    } catch (AWTException | RuntimeException | LinkageError none) {
      out.println("error\tno display");
      return;
    }
    out.println("ok");
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (var line = in.readLine(); line != null; line = in.readLine()) {
      out.println(desktop.answer(line.split("\t", -1)));
    }
    System.exit(0);
  }

  private String answer(String[] words) {
    try {
      return "ok\t" + done(words);
    } catch (IllegalArgumentException | IOException | IllegalStateException e) {
      return "error\t" + String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    }
  }

  private String done(String[] words) throws IOException {
    switch (words[0]) {
      case "displays" -> {
        return String.join("\t", displays());
      }
      case "screenshot" -> {
        return screenshot(Integer.parseInt(words[1]));
      }
      case "position" -> {
        var at = MouseInfo.getPointerInfo().getLocation();
        return at.x + "\t" + at.y;
      }
      case "move" -> move(words, 1);
      case "click" -> click(words);
      case "drag" -> drag(words);
      case "scroll" -> {
        move(words, 1);
        robot.mouseWheel(Integer.parseInt(words[3]));
      }
      case "type" -> type(new String(Base64.getDecoder().decode(words[1]), StandardCharsets.UTF_8));
      case "key" -> press(words[1]);
      default -> throw new IllegalArgumentException("no such request");
    }
    robot.waitForIdle();
    return "";
  }

  private static GraphicsDevice[] devices() {
    return GraphicsEnvironment.getLocalGraphicsEnvironment().getScreenDevices();
  }

  private static List<String> displays() {
    var all = new ArrayList<String>();
    for (var device : devices()) {
      var configuration = device.getDefaultConfiguration();
      var box = configuration.getBounds();
      all.add(
          box.x + "," + box.y + "," + box.width + "," + box.height + "," + scale(configuration));
    }
    return all;
  }

  private static double scale(GraphicsConfiguration configuration) {
    return configuration.getDefaultTransform().getScaleX();
  }

  private String screenshot(int display) throws IOException {
    var devices = devices();
    if (display < 0 || display >= devices.length) {
      throw new IllegalArgumentException("there is no display " + display);
    }
    var box = devices[display].getDefaultConfiguration().getBounds();
    var picture = sharpest(box);
    var png = new ByteArrayOutputStream();
    ImageIO.write(picture, "png", png);
    double scale = (double) picture.getWidth() / box.width;
    return box.x
        + "\t"
        + box.y
        + "\t"
        + picture.getWidth()
        + "\t"
        + picture.getHeight()
        + "\t"
        + scale
        + "\t"
        + Base64.getEncoder().encodeToString(png.toByteArray());
  }

  private BufferedImage sharpest(Rectangle box) {
    Image best = null;
    for (var variant : robot.createMultiResolutionScreenCapture(box).getResolutionVariants()) {
      best = best == null || variant.getWidth(null) > best.getWidth(null) ? variant : best;
    }
    return best instanceof BufferedImage image ? image : robot.createScreenCapture(box);
  }

  private void move(String[] words, int first) {
    int x = Integer.parseInt(words[first]);
    int y = Integer.parseInt(words[first + 1]);
    for (var device : devices()) {
      if (device.getDefaultConfiguration().getBounds().contains(x, y)) {
        robot.mouseMove(x, y);
        return;
      }
    }
    throw new IllegalArgumentException("the point " + x + "," + y + " is on no display");
  }

  private void click(String[] words) {
    move(words, 1);
    int button =
        switch (words[3]) {
          case "right" -> InputEvent.BUTTON3_DOWN_MASK;
          case "middle" -> InputEvent.BUTTON2_DOWN_MASK;
          default -> InputEvent.BUTTON1_DOWN_MASK;
        };
    for (int i = 0; i < Integer.parseInt(words[4]); i++) {
      robot.mousePress(button);
      robot.mouseRelease(button);
    }
  }

  private void drag(String[] words) {
    move(words, 1);
    robot.mousePress(InputEvent.BUTTON1_DOWN_MASK);
    try {
      int fromX = Integer.parseInt(words[1]);
      int fromY = Integer.parseInt(words[2]);
      int toX = Integer.parseInt(words[3]);
      int toY = Integer.parseInt(words[4]);
      for (int step = 1; step < 10; step++) {
        robot.mouseMove(fromX + (toX - fromX) * step / 10, fromY + (toY - fromY) * step / 10);
      }
      move(words, 3);
    } finally {
      robot.mouseRelease(InputEvent.BUTTON1_DOWN_MASK);
    }
  }

  // What the keyboard can't write is pasted.
  private void type(String text) {
    if (text.chars().allMatch(c -> stroke((char) c) != 0)) {
      text.chars().forEach(c -> strike((char) c));
      return;
    }
    Toolkit.getDefaultToolkit().getSystemClipboard().setContents(new StringSelection(text), null);
    boolean mac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
    press(mac ? "Meta+V" : "Control+V");
  }

  /** The key of a character, negative with Shift; 0 when there is none. */
  private static int stroke(char c) {
    if (c >= 'a' && c <= 'z') {
      return KeyEvent.VK_A + (c - 'a');
    }
    if (c >= 'A' && c <= 'Z') {
      return -(KeyEvent.VK_A + (c - 'A'));
    }
    if (c >= '0' && c <= '9') {
      return KeyEvent.VK_0 + (c - '0');
    }
    int plain = PLAIN.indexOf(c);
    if (plain >= 0) {
      return PLAIN_KEYS[plain];
    }
    int shifted = SHIFTED.indexOf(c);
    if (shifted >= 0) {
      return -PLAIN_KEYS[shifted];
    }
    int digit = SHIFTED_DIGITS.indexOf(c);
    return digit >= 0 ? -(KeyEvent.VK_0 + digit) : 0;
  }

  private void strike(char c) {
    int key = stroke(c);
    if (key < 0) {
      robot.keyPress(KeyEvent.VK_SHIFT);
    }
    robot.keyPress(Math.abs(key));
    robot.keyRelease(Math.abs(key));
    if (key < 0) {
      robot.keyRelease(KeyEvent.VK_SHIFT);
    }
  }

  private void press(String written) {
    var names = written.length() > 1 ? written.split("(?<=.)\\+", -1) : new String[] {written};
    var codes = new ArrayList<Integer>();
    for (var name : names) {
      codes.add(code(name));
    }
    codes.forEach(robot::keyPress);
    robot.delay(MODIFIED_PAUSE_MS);
    codes.reversed().forEach(robot::keyRelease);
  }

  private static int code(String name) {
    var known = KEYS.get(name.toLowerCase(Locale.ROOT));
    if (known != null) {
      return known;
    }
    if (name.matches("[Ff]([1-9]|1[0-2])")) {
      return KeyEvent.VK_F1 + Integer.parseInt(name.substring(1)) - 1;
    }
    int key = name.length() == 1 ? stroke(Character.toLowerCase(name.charAt(0))) : 0;
    if (key <= 0) {
      throw new IllegalArgumentException("no such key: " + name);
    }
    return key;
  }
}
