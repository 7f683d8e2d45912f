package io.fengyu.contract.start;

import java.util.List;

/**
 * What is to be remembered of a start, for whoever commits it together with the work itself.
 *
 * @param claims that must still be held, or nothing may be started; possibly none
 * @param answer what the caller is told, as JSON
 */
public record Settlement(List<StartClaim> claims, String answer) {}
