/** How far this installation confines its plugins, for services that only run what others made. */
@NullMarked
package io.fengyu.contract.sandbox;

import org.jspecify.annotations.NullMarked;
