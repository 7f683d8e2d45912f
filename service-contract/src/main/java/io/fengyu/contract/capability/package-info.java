/** What a service can do, as it is configured; for the services that build on it. */
@NullMarked
package io.fengyu.contract.capability;

import org.jspecify.annotations.NullMarked;
