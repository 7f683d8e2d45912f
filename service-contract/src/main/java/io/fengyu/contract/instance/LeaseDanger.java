package io.fengyu.contract.instance;

import java.time.Duration;

/**
 * Fired once when this process could not renew its leases for two thirds of their time: others will
 * soon take its work over, so it must stop what it executes.
 *
 * @param silence time since the last renewal
 */
public record LeaseDanger(Duration silence) {}
