package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Reach;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.tool.mail.Planned.Attached;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Prepares one mail a group, each with the files of the group. */
@Singleton
class EmailSendBatch extends MailTool {

  private static final int MOST_FILES = 5_000;
  private static final int MOST_MAILS = 1_000;

  private static final ToolSpec SPEC =
      declare(
              "email_send_batch",
              "Prepares one mail for each group that files in a directory are called after"
                  + " (East.xlsx or report_East.pdf go to the tag East), with all of these files;"
                  + " confirm_send sends them, reject_send drops them. A mail goes to the contacts"
                  + " of its group who are in one of the recipient groups, too. Files are sent as"
                  + " they are now: when one changes before the confirmation, nothing is sent.")
          .effect(Effect.READ)
          .resources(List.of("mail_accounts", "mail_contacts", "output_dir"), List.of())
          .label("Prepare mails to groups")
          .in(
              Field.required("accountId", "integer", "The account to send from."),
              Field.required("recipientGroupTagIds", "array", "Groups whose contacts get mails.")
                  .ofType("integer"),
              Field.optional("ccGroupTagIds", "array", "Groups whose contacts get a copy.")
                  .ofType("integer"),
              Field.required("inputDirectory", "string", "Directory with the files."),
              Field.optional("commonAttachments", "array", "Paths of files for every mail.")
                  .ofType("string"),
              Field.optional("subject", "string", "One line."),
              Field.optional("plainText", "string", "The text."),
              Field.optional("htmlText", "string", "The text in HTML."))
          .out(confirmation())
          .spec();

  private final Preparation preparation;

  EmailSendBatch(Preparation preparation) {
    super(SPEC);
    this.preparation = preparation;
  }

  @Override
  ObjectNode answer(ToolCall call, MailArgs args) throws Exception {
    var account = preparation.account(call.owner(), args.id("accountId"));
    var recipients = args.ids("recipientGroupTagIds");
    if (recipients.isEmpty()) {
      throw new ToolException("argument 'recipientGroupTagIds' must name a group");
    }
    var copies = args.ids("ccGroupTagIds");
    var groups = new HashSet<>(recipients);
    groups.addAll(copies);
    var tags = preparation.tags(call.owner());
    var contacts = preparation.contacts(call.owner(), tags, groups);
    var reach = Reach.of(call);
    var folder = reach.located(args.plain().text("inputDirectory"));
    var plan = BatchPlan.of(files(folder), tags, contacts, recipients, copies);
    refuseEmpty(plan);
    var common = preparation.attached(reach, args.texts("commonAttachments"));
    var mails = new ArrayList<Planned>();
    for (var mail : plan.mails()) {
      mails.add(planned(reach, folder, mail, common));
    }
    return preparation.freeze(account, args.text(), mails, notes(plan));
  }

  private Planned planned(Reach reach, Path folder, BatchPlan.Mail mail, List<Attached> common)
      throws ToolException, IOException {
    var paths = mail.files().stream().map(file -> folder.resolve(file).toString()).toList();
    var attached = new ArrayList<>(preparation.attached(reach, paths));
    attached.addAll(common);
    return new Planned(mail.tag().name(), mail.to(), mail.cc(), List.of(), attached);
  }

  private static List<String> files(Path folder) throws ToolException, IOException {
    if (!Files.isDirectory(folder)) {
      throw new ToolException("argument 'inputDirectory' is no directory");
    }
    try (var all = Files.list(folder)) {
      var names =
          all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .map(file -> String.valueOf(file.getFileName()))
              .filter(name -> !name.startsWith("."))
              .limit(MOST_FILES + 1L)
              .toList();
      if (names.size() > MOST_FILES) {
        throw new ToolException("the directory has more than " + MOST_FILES + " files");
      }
      return names;
    }
  }

  private static void refuseEmpty(BatchPlan plan) throws ToolException {
    if (plan.mails().isEmpty()) {
      var why = new StringBuilder("there is no file for any contact of the recipient groups");
      notes(plan)
          .forEach(
              note -> why.append("; ").append(note.getFirst()).append(": ").append(note.getLast()));
      throw new ToolException(why.toString());
    }
    if (plan.mails().size() > MOST_MAILS) {
      throw new ToolException("a sending may have at most " + MOST_MAILS + " mails");
    }
  }

  private static List<List<String>> notes(BatchPlan plan) {
    return List.of(
        List.of("Files of no group", Preparation.joined(plan.ignored())),
        List.of("Groups with files, but nobody to get them", names(plan.skipped())),
        List.of("Groups that get no mail", names(plan.without())));
  }

  private static String names(List<Tag> tags) {
    return Preparation.joined(tags.stream().map(Tag::name).toList());
  }
}
