import { z } from "zod";
import { field, type Observation } from "../../core";
import { optionalDuration } from "./durations";

/**
 * The properties of the AWS root configuration that Vault and OpenBao return, but not the server of the specification (source:
 * `path_config_root.go` of Vault 1.19 and of OpenBao's AWS plugin).
 */
export function extendedRootFields({ isReturned }: { readonly isReturned: boolean }) {
  const whenChanged = isReturned ? {} : ({ writeOnly: "when-changed" } as const);
  return {
    usernameTemplate: field(z.string().optional(), {
      doc: "The template for the names of users and sessions. AWS allows at most 64 characters for a user and 32 for a session.",
      ...(!isReturned && { writeOnly: "every-write" }),
      resetsWhenOmitted: true,
      empty: "",
    }),
    roleArn: field(z.string().optional(), {
      doc: "The ARN of the IAM role to assume with the identity token. Vault Enterprise only.",
      ...whenChanged,
      empty: "",
    }),
    identityTokenAudience: field(z.string().optional(), {
      doc: "The audience of the identity token that replaces an access key. Vault Enterprise only.",
      ...whenChanged,
      empty: "",
    }),
    // Vault stores and returns 0 for an unset TTL.
    identityTokenTtl: optionalDuration({
      doc: "The TTL of the identity token. If unset or 0, the default of Vault applies (documented: one hour). Vault Enterprise only.",
      ...whenChanged,
      ...(isReturned ? { empty: 0 } : { default: 3600 }),
    }),
  };
}

/** What Vault and OpenBao store and return for an empty template. */
const DEFAULT_TEMPLATE =
  '{{ if (eq .Type "STS") }}{{ printf "vault-%s-%s"  (unix_time) (random 20) | truncate 32 }}{{ else }}{{ printf "vault-%s-%s-%s" (printf "%s-%s" (.DisplayName) (.PolicyName) | truncate 42) (unix_time) (random 20) | truncate 64 }}{{ end }}';

/** A response with an empty template instead of the server's default. */
export function withoutDefaultTemplate(body: Observation["body"]): Observation["body"] {
  return body.username_template === DEFAULT_TEMPLATE ? { ...body, username_template: "" } : body;
}
