/** What is promised of jobs. */
@NullMarked
package io.fengyu.agent.job;

import org.jspecify.annotations.NullMarked;
