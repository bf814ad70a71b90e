import { free, schema } from "./schema";

export const update = schema({
  stagger: "duration",
  max_parallel: "number",
  health_check: "string",
  min_healthy_time: "duration",
  healthy_deadline: "duration",
  progress_deadline: "duration",
  canary: "number",
  auto_revert: "bool",
  auto_promote: "bool",
});

export const migrate = schema({
  max_parallel: "number",
  health_check: "string",
  min_healthy_time: "duration",
  healthy_deadline: "duration",
});

export const restart = schema({
  attempts: "number",
  interval: "duration",
  delay: "duration",
  mode: "string",
  render_templates: "bool",
});

export const reschedule = schema({
  attempts: "number",
  interval: "duration",
  delay: "duration",
  delay_function: "string",
  max_delay: "duration",
  unlimited: "bool",
});

export const disconnect = schema({
  lost_after: "duration",
  stop_on_client_after: "duration",
  replace: "bool",
  reconcile: "string",
});

export const scaling = schema(
  { min: "number", max: "number", enabled: "bool", type: "string" },
  { policy: free("Policy", true) },
);

export const secrets = schema({
  role: "string",
  policies: "strings",
  namespace: "string",
  cluster: "string",
  env: "bool",
  disable_file: "bool",
  change_mode: "string",
  change_signal: "string",
  allow_token_expiration: "bool",
});

export const mesh = schema({ namespace: "string", cluster: "string", partition: "string" });

export const identity = schema({
  name: "string",
  aud: ["strings", "Audience"],
  change_mode: "string",
  change_signal: "string",
  env: "bool",
  file: "bool",
  filepath: "string",
  ttl: ["duration", "TTL"],
});
