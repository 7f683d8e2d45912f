package io.fengyu.chat.turn;

import io.fengyu.chat.journal.TurnConfig;
import io.fengyu.contract.capability.Capability;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** What turns can do here. */
@ApplicationScoped
class TurnCapabilities {

  private final TurnConfig config;

  TurnCapabilities(TurnConfig config) {
    this.config = config;
  }

  @Produces
  @Singleton
  Capability editLatestTurn() {
    return Capability.of("edit_latest_turn_v1", config.editLatest());
  }
}
