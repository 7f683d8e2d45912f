package io.fengyu.agent.journal;

import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The receipts that one batch writes, and those it settles. */
final class ReceiptChanges {

  private record Intent(UUID runId, Change.Intended call, String state, OffsetDateTime at) {}

  private record Settled(String state, OffsetDateTime at) {}

  private final Map<UUID, Intent> intents = new LinkedHashMap<>();
  private final Map<UUID, Settled> settled = new LinkedHashMap<>();

  private ReceiptChanges() {}

  static ReceiptChanges of(List<JournalItem> items) {
    var changes = new ReceiptChanges();
    for (var item : items) {
      for (var change : item.changes) {
        changes.add(change, item);
      }
    }
    return changes;
  }

  // One statement does not see the rows it inserts, so a call that is settled in the batch of its
  // own intention is inserted as settled.
  private void add(Change change, JournalItem item) {
    if (change instanceof Change.Intended call) {
      intents.put(
          call.invocationId(),
          new Intent(
              item.log.runId(), call, JournalBatch.word(Change.ReceiptState.INTENDED), item.at));
    } else if (change instanceof Change.Outcome outcome) {
      var state = JournalBatch.word(outcome.state());
      var intent = intents.get(outcome.invocationId());
      if (intent == null) {
        settled.put(outcome.invocationId(), new Settled(state, item.at));
      } else {
        intents.put(
            outcome.invocationId(), new Intent(intent.runId(), intent.call(), state, intent.at()));
      }
    }
  }

  void addTo(Tuple tuple) {
    addIntents(tuple);
    tuple.addArrayOfUUID(settled.keySet().toArray(UUID[]::new));
    tuple.addArrayOfString(settled.values().stream().map(Settled::state).toArray(String[]::new));
    tuple.addArrayOfOffsetDateTime(
        settled.values().stream().map(Settled::at).toArray(OffsetDateTime[]::new));
  }

  private void addIntents(Tuple tuple) {
    var all = intents.values();
    tuple
        .addArrayOfUUID(intents.keySet().toArray(UUID[]::new))
        .addArrayOfUUID(all.stream().map(Intent::runId).toArray(UUID[]::new))
        .addArrayOfInteger(all.stream().map(i -> i.call().step()).toArray(Integer[]::new))
        .addArrayOfInteger(all.stream().map(i -> i.call().attempt()).toArray(Integer[]::new))
        .addArrayOfString(all.stream().map(i -> i.call().tool()).toArray(String[]::new))
        .addArrayOfString(all.stream().map(i -> i.call().effect().wire()).toArray(String[]::new))
        .addArrayOfString(all.stream().map(i -> i.call().argsHash()).toArray(String[]::new))
        .addArrayOfString(all.stream().map(Intent::state).toArray(String[]::new))
        .addArrayOfOffsetDateTime(all.stream().map(Intent::at).toArray(OffsetDateTime[]::new));
  }
}
