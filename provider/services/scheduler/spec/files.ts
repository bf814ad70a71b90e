import { evenEmpty, flag, integer, one, orElse, sharedObject, text, textMap, texts } from "../../../core";
import { duration } from "./duration";
import { signal } from "./signal";

/** A template that Nomad renders to a file for a task (specification: Job (full), Templates). */
export const template = sharedObject("JobTemplate", {
  sourcePath: text("Path of the template file."),
  destPath: text("Path of the rendered file in the task directory."),
  embeddedTmpl: text("Template text, instead of a template file (`data`)."),
  changeMode: orElse(
    "restart",
    text(
      "Action after the template is rendered again: `restart`, `signal`, `script` or `noop`. Default: `restart`.",
    ),
  ),
  changeSignal: signal("Signal to send to the task with `changeMode` `signal`."),
  changeScript: one(
    sharedObject("JobChangeScript", {
      command: text("Path of the program to run."),
      args: texts("Arguments of the program."),
      timeout: orElse(5_000_000_000, duration("Timeout of the script. Default: 5 seconds.")),
      failOnError: flag("Fail the task if the script fails."),
      runOnFirstRender: flag("Run the script after the first rendering as well."),
    }),
    "Script to run with `changeMode` `script` (`change_script` block).",
  ),
  once: flag("Render the template once and do not watch for changes."),
  splay: orElse(
    5_000_000_000,
    duration("Maximum random delay before the `changeMode` action. Default: 5 seconds."),
  ),
  perms: orElse("0644", text("Permissions of the file, in octal. Default: `0644`.")),
  uid: evenEmpty(integer("User ID of the file's owner.")),
  gid: evenEmpty(integer("Group ID of the file.")),
  leftDelim: evenEmpty(text("Opening delimiter of template actions. Default: `{{`.")),
  rightDelim: evenEmpty(text("Closing delimiter of template actions. Default: `}}`.")),
  envvars: flag("Load the rendered file as environment variables of the task (`env`)."),
  secretsGrace: duration(
    "Time before expiry at which a Vault secret is renewed (`vault_grace`). Current Nomad versions ignore it.",
  ),
  wait: one(
    sharedObject("JobTemplateWait", {
      min: evenEmpty(duration("Minimum time to wait.")),
      max: evenEmpty(duration("Maximum time to wait.")),
    }),
    "Time to wait for further changes before rendering (`wait` block).",
  ),
  errMissingKey: flag("Fail the rendering if a map key is missing (`error_on_missing_key`)."),
});

/** An artifact that Nomad fetches for a task (specification: Job (full), Artifacts). */
export const artifact = sharedObject("JobArtifact", {
  getterSource: text("URL of the artifact (`source`)."),
  getterOptions: textMap("Download options, such as `checksum` (`options`)."),
  getterHeaders: textMap("HTTP headers of the download request (`headers`)."),
  getterMode: evenEmpty(text("Kind of artifact: `any`, `file` or `dir` (`mode`). Default: `any`.")),
  getterInsecure: flag("Skip the verification of TLS certificates (`insecure`)."),
  relativeDest: evenEmpty(text("Target path, relative to the task directory (`destination`).")),
  chown: flag("Make the task's user the owner of the downloaded files."),
});
