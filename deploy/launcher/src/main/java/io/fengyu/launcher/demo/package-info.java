/** The main job, done over the public API and told step by step. */
@NullMarked
package io.fengyu.launcher.demo;

import org.jspecify.annotations.NullMarked;
