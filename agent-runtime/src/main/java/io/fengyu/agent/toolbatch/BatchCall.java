package io.fengyu.agent.toolbatch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * One call of a batch.
 *
 * @param index its place, from 0
 * @param id unique in the batch
 * @param args null when they are no JSON object
 * @param approved a person agreed to exactly these arguments
 */
record BatchCall(int index, String id, String name, @Nullable ObjectNode args, boolean approved) {}
