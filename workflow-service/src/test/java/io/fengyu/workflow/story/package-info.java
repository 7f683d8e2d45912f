/** What the workflow service promises, told over HTTP against a real Postgres. */
@NullMarked
package io.fengyu.workflow.story;

import org.jspecify.annotations.NullMarked;
