import { z } from "zod";
import {
  checksByRead,
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  isGiven,
  object,
  patch,
  patches,
  post,
  rule,
} from "../../core";
import { document, targetsIn, toMany } from "./jsonApi";
import { searchInList } from "./listSearch";
import { receivers } from "./notificationFields";
import { goneFromWorkspace, partOfWorkspace, withOrganization, workspaceIdField } from "./ofWorkspace";
import { workspaces } from "./service";

const all = "/workspaces/{workspaceId}/notification-configurations";
const one = "/notification-configurations/{notificationConfigurationId}";
const TYPE = "destination-type";
const asDocument = document("notification-configurations", { users: toMany("users", "users") });

/** Finds a configuration before it has an ID. */
const byName = searchInList(
  { route: get(all), part: "notificationConfigurationId" },
  (item, { name }) => item.name === name,
);

/** A notification configuration of a workspace (HCP Terraform API: Notification configurations). */
export default define({
  token: "workspaces:NotificationConfiguration",
  product: {
    noun: "notification configuration",
    terraform: "`tfe_notification_configuration`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/notification-configurations",
  },
  doc: "Notifications of a workspace: messages to a webhook or by email about its runs, health assessments and automatic destroys. Before the server stores an enabled configuration with a URL, it sends a test message to the URL.",
  section: "API: notification configurations",
  service: workspaces,
  fields: {
    ...commonFields,
    workspaceId: workspaceIdField,
    name: field(z.string().min(1), {
      doc: "Name of the configuration.",
      toWrite:
        "Use each name once in a workspace: Quarterdeck finds the configuration by its name before it knows the ID.",
    }),
    ...receivers,
    enabled: field(z.boolean().optional(), {
      doc: "Send notifications. The server enables a configuration only if its URL answers the test message with a 2xx status.",
      default: false,
    }),
    url: field(z.string().min(1).optional(), {
      doc: "Webhook URL (HTTP or HTTPS). A webhook URL usually needs no further credentials, so it is secret.",
      toWrite: "Required unless `destinationType` is `email`.",
      secret: true,
      notRestored: true,
    }),
    token: field(z.string().min(1).optional(), {
      doc: "Key with which the server signs the messages to a `generic` webhook (HMAC SHA-512, header `X-TFE-Notification-Signature`). The server never returns it, so changes by others are not detected.",
      secret: true,
      writeOnly: "when-changed",
      empty: null,
    }),
    notificationConfigurationId: field(z.string().optional(), {
      doc: "ID of the configuration (`nc-…`).",
      role: "server's",
      wire: "id",
    }),
  },
  rules: [
    rule(
      ["url", "destinationType"],
      (url, type) => !isGiven(url) && type !== undefined && type !== "email",
      "is required unless destinationType is email",
    ),
  ],
  where: partOfWorkspace("notificationConfigurationId"),
  life: object({
    reads: {
      one: get(one),
      expects: {
        named: { notificationConfigurationId: "id", destinationType: TYPE },
        within: { workspaceId: "subscribable-id" },
      },
      toObject: (body) => ({
        ...body,
        // An object without a kind of receiver is not a notification configuration.
        [TYPE]: body[TYPE] ?? "",
        users: targetsIn(body.relationships, "users"),
      }),
      locate: withOrganization,
      absence: goneFromWorkspace("the notification configuration returns 404"),
    },
    writes: patches({
      create: post(all),
      update: patch(one),
      // OTF requires `enabled` in a create.
      envelope: (members, { address: { notificationConfigurationId: id } }) =>
        asDocument(id === undefined ? { enabled: false, ...members } : members),
      returns: "object",
    }),
    creation: { existing: checksByRead(byName) },
    deletion: deletes(del(one)),
  }),
});
