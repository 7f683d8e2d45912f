package io.fengyu.agent.model;

/**
 * What one request to a model cost.
 *
 * @param estimated true when the provider did not say, and it was guessed from characters
 */
public record ModelSpent(long promptTokens, long completionTokens, boolean estimated) {}
