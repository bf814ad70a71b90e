import { evenEmpty, flag, integer, one, orElse, sharedObject, text, textMap, texts } from "../../../core";
import { duration } from "./duration";
import { signal } from "./signal";

/** A template that Nomad renders to a file for a task (specification: Job (full), Templates). */
export const template = sharedObject("JobTemplate", {
  sourcePath: text("The file that holds the template."),
  destPath: text("Where the result goes."),
  embeddedTmpl: text("The template itself, in place of a file."),
  changeMode: orElse(
    "restart",
    text("What happens when it is rendered anew: `restart`, `signal`, `script` or `noop`."),
  ),
  changeSignal: signal("The signal, with `signal`."),
  changeScript: one(
    sharedObject("JobChangeScript", {
      command: text("The program that is run."),
      args: texts("The arguments of that program."),
      timeout: orElse(5_000_000_000, duration("How long it may take.")),
      failOnError: flag("Whether the task fails where the script does."),
      runOnFirstRender: flag("Whether it runs for the first rendering too."),
    }),
    "The script, with `script`.",
  ),
  once: flag("Whether it is rendered once only."),
  splay: orElse(5_000_000_000, duration("The longest random wait before the change is acted on.")),
  perms: orElse("0644", text("The file's permissions, in octal.")),
  uid: evenEmpty(integer("The file's owner.")),
  gid: evenEmpty(integer("The file's group.")),
  leftDelim: evenEmpty(text("What opens an action of the template.")),
  rightDelim: evenEmpty(text("What closes it.")),
  envvars: flag("Whether the result is read as environment variables."),
  secretsGrace: duration("How long before its end a secret is renewed. Newer services take no notice of it."),
  wait: one(
    sharedObject("JobTemplateWait", {
      min: evenEmpty(duration("At least this long.")),
      max: evenEmpty(duration("At most this long.")),
    }),
    "How long to wait for further changes before it is rendered.",
  ),
  errMissingKey: flag("Whether a key that is missing is an error."),
});

/** An artifact that Nomad fetches for a task (specification: Job (full), Artifacts). */
export const artifact = sharedObject("JobArtifact", {
  getterSource: text("Where it is fetched from."),
  getterOptions: textMap("Options, such as `checksum`."),
  getterHeaders: textMap("Headers of the request."),
  getterMode: evenEmpty(text("What it is: `any`, `file` or `dir`.")),
  getterInsecure: flag("Whether certificates are not verified."),
  relativeDest: evenEmpty(text("Where it goes, in the task's directory.")),
  chown: flag("Whether it belongs to the task's user."),
});
