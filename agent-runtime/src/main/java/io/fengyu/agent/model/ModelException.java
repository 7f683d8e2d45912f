package io.fengyu.agent.model;

/** A model did not answer, or not to the end; the message is for people. */
public final class ModelException extends Exception {

  private static final long serialVersionUID = 1L;

  /** The provider is known and could not do it. */
  public static final String PROVIDER_ERROR = "PROVIDER_ERROR";

  private static final String NETWORK = "NETWORK";
  private static final String UNKNOWN = "UNKNOWN";

  private final String code;
  private final String errorCode;

  /**
   * @param code stable word for clients
   * @param errorCode what kind of failure, in the words of chat streams
   */
  public ModelException(String code, String errorCode, String message) {
    super(message, null, false, false);
    this.code = code;
    this.errorCode = errorCode;
  }

  /** The answer did not come, or not whole. */
  static ModelException lost(String message) {
    return new ModelException(PROVIDER_ERROR, NETWORK, message);
  }

  /** The answer came, and cannot be used. */
  public static ModelException unusable(String message) {
    return new ModelException(PROVIDER_ERROR, UNKNOWN, message);
  }

  /** {@code PROVIDER_ERROR}, {@code MODEL_UNAVAILABLE} or {@code MODEL_NOT_CONFIGURED}. */
  public String code() {
    return code;
  }

  /** What kind of failure. */
  public String errorCode() {
    return errorCode;
  }

  /** What people read. */
  public String text() {
    return String.valueOf(getMessage());
  }

  /** True when no model can be asked at all, as opposed to one that failed. */
  public boolean noModel() {
    return !code.equals(PROVIDER_ERROR);
  }
}
