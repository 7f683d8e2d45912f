/** Contracts of packages as JSON Schema. */
@NullMarked
package io.fengyu.agent.plugin.schema;

import org.jspecify.annotations.NullMarked;
