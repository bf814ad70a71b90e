import { z } from "zod";
import { enumeration, field } from "../../core";

/** The receivers of a notification, and the events that cause one. */
export const receivers = {
  destinationType: field(
    enumeration({
      generic: "JSON to a webhook.",
      slack: "A message to a Slack webhook.",
      "microsoft-teams": "A message to a Microsoft Teams webhook.",
      email: "An email to users of the organization.",
    }),
    { doc: "Kind of the receiver.", immutable: true },
  ),
  triggers: field(
    z.array(z.string().regex(/^[a-z_]+:[a-z_]+$/, "must be an event such as run:created")).optional(),
    {
      doc: "Events that cause a message: `run:` with created, planning, needs_attention, applying, completed or errored, `assessment:` with drifted, check_failure or failed, `workspace:` with auto_destroy_reminder or auto_destroy_run_results.",
      unordered: true,
      empty: [],
    },
  ),
  emailUserIds: field(z.array(z.string().min(1)).optional(), {
    doc: "User IDs (`user-…`) of the receivers of emails, if `destinationType` is `email`.",
    wire: "users",
    location: "relationship",
    unordered: true,
    empty: [],
  }),
  emailAddresses: field(z.array(z.string().min(1)).optional(), {
    doc: "Email addresses of further receivers, if `destinationType` is `email`. Only Terraform Enterprise has them.",
    unordered: true,
    empty: [],
  }),
};
