package io.fengyu.workflow.publication;

import org.jspecify.annotations.Nullable;

/**
 * What a publication asks for.
 *
 * @param published false to take the workflow back; publishing is what happens otherwise
 * @param expectedRevision null for whatever is stored
 */
record Publish(boolean published, @Nullable Integer expectedRevision) {}
