/** Jobs that tools have accepted: followed to their real result, stopped, and shown. */
@NullMarked
package io.fengyu.agent.job;

import org.jspecify.annotations.NullMarked;
