import { flag, sharedObject, text, texts } from "../../../core";
import { duration } from "./duration";
import { signal } from "./signal";

/** A workload identity that Nomad gives to a task or a service of the job, as a signed token. */
export const identity = sharedObject("JobIdentity", {
  name: text("The name that tells it from the task's other identities."),
  audience: texts("Whom the token is for."),
  changeMode: text("What happens when the token is renewed: `noop`, `restart` or `signal`."),
  changeSignal: signal("The signal, with `signal`."),
  env: flag("Whether the token stands in an environment variable."),
  file: flag("Whether the token stands in a file."),
  filepath: text("Where that file is."),
  serviceName: text("The service that it is for."),
  ttl: duration("How long a token is valid.", "TTL"),
  extraClaims: texts("Claims that its token holds beside its own."),
});
