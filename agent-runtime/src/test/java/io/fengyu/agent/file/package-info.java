@NullMarked
package io.fengyu.agent.file;

import org.jspecify.annotations.NullMarked;
