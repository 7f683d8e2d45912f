/** Publishing a draft as a snapshot, and going back to one. */
@NullMarked
package io.fengyu.workflow.publication;

import org.jspecify.annotations.NullMarked;
