package io.fengyu.chat.journal;

/**
 * A row of events, waiting to be stored.
 *
 * @param first number of the first event in it
 * @param seq number of the last one
 */
record EventRow(LiveTurn turn, long first, long seq, String type, String data) {}
