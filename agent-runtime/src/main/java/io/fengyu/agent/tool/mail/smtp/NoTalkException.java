package io.fengyu.agent.tool.mail.smtp;

/** No talk came about: the server is not there, is not who it should be, or lets nobody in. */
public final class NoTalkException extends Exception {

  private static final long serialVersionUID = 1L;

  NoTalkException(String message) {
    super(message, null, false, false);
  }
}
