package io.fengyu.agent.tool.computer;

import java.awt.Color;
import java.awt.Frame;
import java.awt.KeyboardFocusManager;
import java.awt.event.AWTEventListener;
import java.awt.event.KeyEvent;
import java.awt.event.MouseEvent;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A red window that tells what happens to it, a line an event. */
final class WindowProgram {

  private WindowProgram() {}

  public static void main(String[] args) {
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    var frame = new Frame("A red window");
    frame.setUndecorated(true);
    frame.setBackground(Color.RED);
    frame.setBounds(100, 100, 300, 200);
    AWTEventListener told =
        event -> {
          switch (event) {
            case MouseEvent mouse when mouse.getID() == MouseEvent.MOUSE_PRESSED -> {
              frame.requestFocus();
              out.println(
                  "pressed "
                      + mouse.getXOnScreen()
                      + ","
                      + mouse.getYOnScreen()
                      + " button "
                      + mouse.getButton());
            }
            case KeyEvent key when key.getID() == KeyEvent.KEY_TYPED ->
                out.println("typed " + (int) key.getKeyChar());
            default -> {
              // Nothing to tell.
            }
          }
        };
    frame
        .getToolkit()
        .addAWTEventListener(
            told, java.awt.AWTEvent.MOUSE_EVENT_MASK | java.awt.AWTEvent.KEY_EVENT_MASK);
    frame.setVisible(true);
    frame.toFront();
    frame.requestFocus();
    KeyboardFocusManager.getCurrentKeyboardFocusManager()
        .addPropertyChangeListener("focusOwner", change -> out.println("focus"));
    out.println("shown");
  }
}
