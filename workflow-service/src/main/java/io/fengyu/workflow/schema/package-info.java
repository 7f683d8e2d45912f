/** Input contracts held against the whole of JSON Schema. */
@NullMarked
package io.fengyu.workflow.schema;

import org.jspecify.annotations.NullMarked;
