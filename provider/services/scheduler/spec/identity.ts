import { flag, sharedObject, text, texts } from "../../../core";
import { duration } from "./duration";
import { signal } from "./signal";

/** A workload identity that Nomad gives to a task or a service of the job, as a signed token. */
export const identity = sharedObject("JobIdentity", {
  name: text("Name of the identity, unique within the task."),
  audience: texts("Audience of the token (`aud` claim)."),
  changeMode: text("Action after the token is renewed: `noop`, `restart` or `signal`."),
  changeSignal: signal("Signal to send to the task with `changeMode` `signal`."),
  env: flag("Expose the token as an environment variable."),
  file: flag("Write the token to a file."),
  filepath: text("Path of the token file."),
  serviceName: text("Name of the service that the identity is for."),
  ttl: duration("Time that a token is valid.", "TTL"),
  extraClaims: texts("Additional claims of the token."),
});
