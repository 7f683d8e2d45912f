/** What is promised of the packaged program, before it listens and after it was told to stop. */
@NullMarked
package io.fengyu.agent.process;

import org.jspecify.annotations.NullMarked;
