package io.fengyu.workflow.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param next where the next part begins; null at the end of the list
 */
record Page<T>(List<T> items, @Nullable String next) {}
