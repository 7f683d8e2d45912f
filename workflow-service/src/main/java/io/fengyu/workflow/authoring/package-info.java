/** Looking at, judging and proposing changes to a canvas that somebody has open. */
@NullMarked
package io.fengyu.workflow.authoring;

import org.jspecify.annotations.NullMarked;
