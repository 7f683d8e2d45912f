/** What is promised of it. */
@NullMarked
package io.fengyu.contract.client;

import org.jspecify.annotations.NullMarked;
