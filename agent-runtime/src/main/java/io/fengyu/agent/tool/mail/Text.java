package io.fengyu.agent.tool.mail;

import org.jspecify.annotations.Nullable;

/**
 * What the mails of a sending say.
 *
 * @param plain null for none
 * @param html null for none
 */
record Text(String subject, @Nullable String plain, @Nullable String html) {}
