package io.fengyu.chat.model;

/** What kind of failure it was, in the words that clients of chat streams know. */
public enum ErrorCode {
  /** No key, or one that the provider does not accept. */
  AUTH_MISSING,
  /** The provider asks to slow down. */
  RATE_LIMITED,
  /** The conversation does not fit into the model's window. */
  CONTEXT_OVERFLOW,
  /** The provider refused the request. */
  PROVIDER_4XX,
  /** No connection, or one that broke or fell silent. */
  NETWORK,
  /** Ended by the caller. */
  ABORTED,
  /** Everything else, a provider's own fault included. */
  UNKNOWN
}
