package io.fengyu.agent.guard.shell;

import java.util.List;

/**
 * A command without operators, as the lexer found it.
 *
 * @param raw as written, from its first character to its last
 * @param piped true when it reads what another command writes
 */
record SimpleCommand(String raw, List<Word> words, List<Redirect> redirects, boolean piped) {}
