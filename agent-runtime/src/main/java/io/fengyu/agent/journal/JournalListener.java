package io.fengyu.agent.journal;

import java.util.List;

/** Told what becomes of appends; on the journal's loop, so nothing here may block. */
interface JournalListener {

  /** The appends of a run whose end or pause could not be stored at the first attempt. */
  default void stuck(List<JournalItem> items) {}

  /** A run whose end will never be written, because it belongs to somebody else. */
  default void dropped(JournalLog log) {}

  /** A log that can't be written any more: fenced, or refused by the database. */
  default void broken(JournalLog log) {}

  /** Ends and pauses that were stored and read back. */
  default void stored(List<JournalItem> items) {}
}
