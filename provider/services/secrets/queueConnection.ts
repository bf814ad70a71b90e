import { z } from "zod";
import { define, field, post, rule, writeOnly, writeOnlyFields } from "../../core";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";
import { templateDoubts, templateProblem } from "./templates";

/** The connection of the RabbitMQ engine (specification: A2. Message-queue engine). */
export default define({
  token: "secrets:QueueConnection",
  doc: "How the message-queue engine reaches the broker's management interface. The service takes it and never shows it.",
  section: "A2. Message-queue engine",
  service: secrets,
  fields: {
    ...writeOnlyFields,
    namespace: namespaceField,
    mount: mountField("queue"),
    connectionUri: field(z.string().min(1), {
      doc: "The URI of the broker's management interface. It may hold credentials.",
      secret: true,
      secretsIn: credentialsIn,
    }),
    username: field(z.string().min(1), { doc: "The name of a management administrator." }),
    password: field(z.string().min(1), { doc: "The administrator's password.", secret: true }),
    verifyConnection: field(z.boolean().optional(), {
      doc: "Whether the service tries the connection before it keeps it.",
      default: true,
    }),
    passwordPolicy: field(z.string().optional(), {
      doc: "The policy by which passwords are generated; empty means alphanumeric ones.",
      empty: "",
    }),
    usernameTemplate: field(z.string().optional(), {
      doc: "The template by which user names are generated.",
      empty: "",
    }),
  },
  rules: [rule(["usernameTemplate"], templateProblem, "must close each `{{`")],
  notes: ({ inputs }) => templateDoubts("usernameTemplate", inputs.usernameTemplate, {}),
  where: placeOfEngine("queue", "{mount}"),
  life: writeOnly(
    post("/{+mount}/config/connection"),
    "the service has no request that takes the connection away, so it stays until the engine is unmounted",
  ),
});

/**
 * The credentials, query values and fragment of a URI. The host is not secret: masking it would break the addresses in
 * messages.
 */
function credentialsIn(uri: string): readonly string[] {
  if (!URL.canParse(uri)) return [uri];
  const { username, password, searchParams, hash } = new URL(uri);
  const written = [username, password, ...searchParams.values(), hash.slice(1)];
  const parts = written.flatMap((part) => [part, decodePart(part)]);
  return parts.filter((part) => part !== "");
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
