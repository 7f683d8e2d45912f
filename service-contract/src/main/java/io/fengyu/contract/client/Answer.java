package io.fengyu.contract.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What another service answered, below 400.
 *
 * @param body a missing node when the answer had none
 */
public record Answer(int status, JsonNode body) {}
