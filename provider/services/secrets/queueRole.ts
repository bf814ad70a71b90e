import { z } from "zod";
import {
  atLeastOne,
  commaList,
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  object,
  post,
  replaces,
} from "../../core";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import {
  permissionDoubts,
  permissionMap,
  permissionsRule,
  vhostFacts,
  vhostPermissions,
  vhostTopicFacts,
  vhostTopicPermissions,
} from "./queuePermissions";
import { keysAt, secrets } from "./service";

const role = "/{+mount}/roles/{name}";

/** A role of the RabbitMQ engine (specification: A2. Message-queue engine). */
export default define({
  token: "secrets:QueueRole",
  product: {
    noun: "RabbitMQ role",
    terraform: "`vault_rabbitmq_secret_backend_role`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/rabbitmq",
  },
  doc: "A role of the RabbitMQ secrets engine: the tags and permissions of the RabbitMQ users that it creates.",
  section: "A2. Message-queue engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("queue"),
    name: field(z.string().min(1), {
      doc: "The name of the role in the secrets engine.",
      role: "identity",
      location: "address",
    }),
    tags: field(z.union([z.string(), z.array(z.string())]).optional(), {
      doc: "RabbitMQ management tags.",
      spelling: commaList,
      unordered: true,
      default: "",
    }),
    vhosts: field(z.union([z.string(), vhostPermissions]).optional(), {
      doc: "Virtual hosts and the permissions (`configure`, `write`, `read`) on each.",
      spelling: permissionMap("vhosts"),
      document: vhostFacts,
      default: "",
    }),
    vhostTopics: field(z.union([z.string(), vhostTopicPermissions]).optional(), {
      doc: "Virtual hosts, their exchanges, and the topic permissions (`write`, `read`) on each.",
      toWrite: "Needs RabbitMQ 3.7.0 or later.",
      spelling: permissionMap("vhostTopics"),
      document: vhostTopicFacts,
      default: "",
    }),
  },
  rules: [
    // An empty map of vhosts counts: the request sends it as `{}`, which is not empty text.
    atLeastOne(
      ["tags", "vhosts"],
      "is required, unless vhosts is set: the server rejects a role without both",
    ),
    permissionsRule("vhosts"),
    permissionsRule("vhostTopics"),
  ],
  notes: ({ inputs }) => [...permissionDoubts("vhosts", inputs), ...permissionDoubts("vhostTopics", inputs)],
  where: placeOfEngine("queue", "{mount}/{name}"),
  life: object({
    reads: { one: get(role), expects: { always: ["tags", "vhosts"] }, list: keysAt("/{+mount}/roles") },
    writes: replaces(post(role)),
    deletion: deletes(del(role)),
  }),
});
