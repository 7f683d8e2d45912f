package io.fengyu.chat.turn;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells the inbox that a question was asked or answered. What is open is read from here; this is
 * for those who watch, and late rather than lost.
 */
@ApplicationScoped
class InboxNews {

  private static final Logger LOG = Logger.getLogger(InboxNews.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LAST_PAUSE = Duration.ofSeconds(10);
  private static final int REPEATS = 6;

  private final InternalClient client;

  InboxNews(InternalClient client) {
    this.client = client;
  }

  void opened(String owner, UUID turn, String gate) {
    tell(owner, turn, gate, "opened", null);
  }

  void closed(String owner, UUID turn, String gate, String outcome) {
    tell(owner, turn, gate, "closed", outcome);
  }

  private void tell(String owner, UUID turn, String gate, String type, @Nullable String outcome) {
    client
        .post(Service.AGENT, "/internal/approvals/news")
        .as(owner)
        .operation(gate + "-" + type)
        .json(
            JsonNodeFactory.instance
                .objectNode()
                .put("source", "chat")
                .put("subject", turn.toString())
                .put("gateId", gate)
                .put("type", type)
                .put("outcome", outcome))
        .send()
        .onFailure()
        .retry()
        .withBackOff(FIRST_PAUSE, LAST_PAUSE)
        .atMost(REPEATS)
        .subscribe()
        .with(
            told -> {},
            failure -> LOG.warnf("The inbox was not told of a question: %s", failure.getMessage()));
  }
}
