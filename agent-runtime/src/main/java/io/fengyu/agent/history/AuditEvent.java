package io.fengyu.agent.history;

import java.time.Instant;

/**
 * An event as the audit has it.
 *
 * @param seq counter of the audit, not of the stream
 * @param data JSON object
 */
record AuditEvent(int seq, String type, String data, Instant createdAt) {}
