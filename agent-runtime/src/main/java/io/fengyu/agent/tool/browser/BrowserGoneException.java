package io.fengyu.agent.tool.browser;

/** The browser is not there, or not any more. */
final class BrowserGoneException extends Exception {

  private static final long serialVersionUID = 1L;

  BrowserGoneException(String message) {
    super(message, null, false, false);
  }
}
