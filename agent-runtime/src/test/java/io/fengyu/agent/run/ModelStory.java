package io.fengyu.agent.run;

import io.fengyu.contract.client.Peers;
import io.fengyu.contract.client.Service;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Stories in which a model speaks: chat-service is a stand-in that says what the story wants. */
abstract class ModelStory {

  final RunClient alice = RunClient.alice();

  @Inject Peers peers;
  ChatStandIn chat;

  @BeforeEach
  void open() {
    chat = new ChatStandIn();
    peers.replace(Map.of(Service.CHAT, List.of(chat.address())));
  }

  @AfterEach
  void close() {
    peers.replace(Map.of(Service.CHAT, List.of()));
    chat.close();
  }
}
