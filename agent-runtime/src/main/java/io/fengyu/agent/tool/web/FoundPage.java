package io.fengyu.agent.tool.web;

import java.net.URI;

/** One result of a search. */
record FoundPage(String title, URI url) {}
