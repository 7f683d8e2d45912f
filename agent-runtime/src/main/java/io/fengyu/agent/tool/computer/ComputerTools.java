package io.fengyu.agent.tool.computer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fengyu.agent.setting.SettingsReader;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSource;
import io.fengyu.agent.tool.computer.ComputerTool.Action;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Tools for the screen, mouse and keyboard; listed as long as the deployment wants them. */
@Singleton
class ComputerTools implements ToolSource {

  private static final int FARTHEST = 100_000;
  private static final int LONGEST_TEXT = 10_000;
  private static final int MOST_KEYS = 50;
  private static final int LONGEST_WAIT_MS = 30_000;
  private static final int WAIT_STEP_MS = 100;

  private final Desktop desktop;
  private final Screenshots screenshots;
  private final Applications applications;
  private final Wanted wanted;
  private final List<Tool> all = new ArrayList<>();

  /** Whether the deployment wants them. */
  interface Wanted {
    Uni<Boolean> by(String owner);
  }

  @Inject
  ComputerTools(
      Desktop desktop,
      Screenshots screenshots,
      Applications applications,
      SettingsReader settings) {
    this(
        desktop,
        screenshots,
        applications,
        owner -> settings.of(owner).map(now -> now.deployment().computerUseEnabled()));
  }

  ComputerTools(
      Desktop desktop, Screenshots screenshots, Applications applications, Wanted wanted) {
    this.desktop = desktop;
    this.screenshots = screenshots;
    this.applications = applications;
    this.wanted = wanted;
    looking();
    pointing();
    typing();
  }

  @Override
  public int rank() {
    return SHIPPED + 2;
  }

  @Override
  public Uni<List<Tool>> tools(String owner) {
    return wanted.by(owner).map(yes -> yes ? List.copyOf(all) : List.of());
  }

  /** All of them, whatever the settings say. */
  List<Tool> all() {
    return List.copyOf(all);
  }

  private void looking() {
    read(
        "screenshot",
        "Takes a picture of a display. Points are logical; a point is 'scale' pixels of the picture"
            + " wide.",
        this::screenshot,
        Field.optional("display", "integer", "Which display, from 0.").between(0, 15));
    read("displays", "Lists the displays with their places and scales.", this::displays);
    read("apps", "Lists the applications with open windows.", this::apps);
    read("cursor_position", "Tells where the pointer is.", this::position);
    read(
        "wait",
        "Waits, for example for a window to open.",
        this::pause,
        Field.optional("ms", "integer", "How long.")
            .between(0, LONGEST_WAIT_MS)
            .byDefault(IntNode.valueOf(1_000)));
  }

  private void pointing() {
    does("click", "Clicks at a point.", args -> click(args, 1), x(), y(), button());
    does("double_click", "Clicks twice at a point.", args -> click(args, 2), x(), y(), button());
    does("mouse_move", "Moves the pointer to a point.", this::move, x(), y());
    does(
        "drag",
        "Moves the pointer from one point to another with the left button held down.",
        this::drag,
        x(),
        y(),
        coordinate("toX", "Logical point from the left to end at."),
        coordinate("toY", "Logical point from the top to end at."));
    does(
        "scroll",
        "Turns the mouse wheel at a point.",
        this::scroll,
        x(),
        y(),
        Field.required("amount", "integer", "Notches, down when positive.").between(-100, 100));
    does("app_launch", "Opens an application.", this::launch, name());
    does("app_activate", "Brings an application's window to the front.", this::activate, name());
  }

  private void typing() {
    does(
        "type",
        "Types text where the focus is.",
        this::type,
        Field.required("text", "string", "The text, at most 10000 characters."));
    does(
        "key",
        "Presses a key, such as Enter or Control+C.",
        args -> press(List.of(args.anyText("key"))),
        Field.required("key", "string", "The key, with others held down before it."));
    does(
        "key_sequence",
        "Presses up to 50 keys one after the other.",
        args -> press(keys(args)),
        Field.required("keys", "array", "Such as Tab, Tab, Enter.").ofType("string"));
  }

  private ObjectNode screenshot(ToolArgs args)
      throws ToolException, IOException, InterruptedException {
    int display = args.integer("display", 0, 0, 15);
    var seen = desktop.ask("screenshot", Integer.toString(display));
    var file = screenshots.keep(Base64.getDecoder().decode(seen.get(5)));
    return done("A picture of display " + display + ".")
        .put("display", display)
        .put("x", Integer.parseInt(seen.get(0)))
        .put("y", Integer.parseInt(seen.get(1)))
        .put("width", Integer.parseInt(seen.get(2)))
        .put("height", Integer.parseInt(seen.get(3)))
        .put("scale", Double.parseDouble(seen.get(4)))
        .put("file", String.valueOf(file.getFileName()))
        .put("mimeType", "image/png")
        .put("imageBase64", seen.get(5));
  }

  private ObjectNode displays(ToolArgs args) throws ToolException, InterruptedException {
    var result = done("");
    var list = result.putArray("displays");
    for (var one : desktop.ask("displays")) {
      var parts = one.split(",", -1);
      list.addObject()
          .put("display", list.size() - 1)
          .put("x", Integer.parseInt(parts[0]))
          .put("y", Integer.parseInt(parts[1]))
          .put("width", Integer.parseInt(parts[2]))
          .put("height", Integer.parseInt(parts[3]))
          .put("scale", Double.parseDouble(parts[4]));
    }
    return result.put("summary", list.size() + " display(s).");
  }

  private ObjectNode apps(ToolArgs args) throws ToolException, InterruptedException {
    var found = applications.list();
    var result = done(found.size() + " application window(s).");
    found.forEach(result.putArray("apps")::add);
    return result;
  }

  private ObjectNode position(ToolArgs args) throws ToolException, InterruptedException {
    var at = desktop.ask("position");
    return done("The pointer is at " + at.get(0) + "," + at.get(1) + ".")
        .put("x", Integer.parseInt(at.get(0)))
        .put("y", Integer.parseInt(at.get(1)));
  }

  private ObjectNode pause(ToolArgs args) throws ToolException, InterruptedException {
    int ms = args.integer("ms", 1_000, 0, LONGEST_WAIT_MS);
    for (int left = ms; left > 0; left -= WAIT_STEP_MS) {
      Thread.sleep(Math.min(left, WAIT_STEP_MS));
    }
    return done("Waited.").put("waitedMs", ms);
  }

  private ObjectNode click(ToolArgs args, int times) throws ToolException, InterruptedException {
    var button = args.optionalText("button");
    desktop.ask(
        "click",
        at(args, "x"),
        at(args, "y"),
        button == null ? "left" : button,
        Integer.toString(times));
    return done("Clicked.");
  }

  private ObjectNode move(ToolArgs args) throws ToolException, InterruptedException {
    desktop.ask("move", at(args, "x"), at(args, "y"));
    return done("Moved.");
  }

  private ObjectNode drag(ToolArgs args) throws ToolException, InterruptedException {
    desktop.ask("drag", at(args, "x"), at(args, "y"), at(args, "toX"), at(args, "toY"));
    return done("Dragged.");
  }

  private ObjectNode scroll(ToolArgs args) throws ToolException, InterruptedException {
    int amount = args.integer("amount", 0, -100, 100);
    desktop.ask("scroll", at(args, "x"), at(args, "y"), Integer.toString(amount));
    return done("Scrolled.");
  }

  private static String at(ToolArgs args, String name) throws ToolException {
    if (args.given(name) == null) {
      throw new ToolException("argument '" + name + "' is missing");
    }
    return Integer.toString(args.integer(name, 0, -FARTHEST, FARTHEST));
  }

  private ObjectNode type(ToolArgs args) throws ToolException, InterruptedException {
    var text = args.anyText("text");
    if (text.length() > LONGEST_TEXT) {
      throw new ToolException("the text is longer than " + LONGEST_TEXT + " characters");
    }
    desktop.ask("type", Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
    return done("Typed " + text.length() + " character(s).");
  }

  private ObjectNode press(List<String> keys) throws ToolException, InterruptedException {
    for (var key : keys) {
      if (key.indexOf('\t') >= 0 || key.indexOf('\n') >= 0) {
        throw new ToolException("no such key: a blank is called Tab, Enter or Space");
      }
      desktop.ask("key", key);
    }
    return done("Pressed " + keys.size() + " key(s).");
  }

  private static List<String> keys(ToolArgs args) throws ToolException {
    JsonNode given = args.given("keys");
    if (given == null || !given.isArray() || given.isEmpty() || given.size() > MOST_KEYS) {
      throw new ToolException("argument 'keys' must be a list of 1 to " + MOST_KEYS + " keys");
    }
    var keys = new ArrayList<String>();
    given.forEach(key -> keys.add(key.asText()));
    return keys;
  }

  private ObjectNode launch(ToolArgs args) throws ToolException, InterruptedException {
    applications.launch(args.text("name"));
    return done("Opened.");
  }

  private ObjectNode activate(ToolArgs args) throws ToolException, InterruptedException {
    applications.activate(args.text("name"));
    return done("Brought to the front.");
  }

  private static ObjectNode done(String summary) {
    return JsonNodeFactory.instance.objectNode().put("success", true).put("summary", summary);
  }

  private void read(String name, String description, Action action, Field... in) {
    add(name, Effect.READ, description, action, in);
  }

  private void does(String name, String description, Action action, Field... in) {
    add(name, Effect.EXTERNAL, description, action, in);
  }

  private void add(String name, Effect effect, String description, Action action, Field... in) {
    boolean reads = effect == Effect.READ;
    var spec =
        Declaration.of("computer_" + name, description)
            .effect(effect)
            .resources(
                reads ? List.of("desktop") : List.of(), reads ? List.of() : List.of("desktop"))
            .label("Computer: " + name.replace('_', ' '))
            .in(in)
            .spec();
    all.add(new ComputerTool(spec, name, desktop, action));
  }

  private static Field x() {
    return coordinate("x", "Logical points from the left.");
  }

  private static Field y() {
    return coordinate("y", "Logical points from the top.");
  }

  private static Field coordinate(String name, String description) {
    return Field.required(name, "integer", description).between(-FARTHEST, FARTHEST);
  }

  private static Field button() {
    return Field.optional("button", "string", "Which button.")
        .oneOf("left", "right", "middle")
        .byDefault(TextNode.valueOf("left"));
  }

  private static Field name() {
    return Field.required("name", "string", "Name of the application.");
  }
}
