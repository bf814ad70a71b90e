import { z } from "zod";
import { define, field, post, rule, writeOnly, writeOnlyFields } from "../../core";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";
import { templateDoubts, templateProblem } from "./templates";

/** The connection of the RabbitMQ engine (specification: A2. Message-queue engine). */
export default define({
  token: "secrets:QueueConnection",
  product: {
    noun: "RabbitMQ connection",
    terraform: "`vault_rabbitmq_secret_backend`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/rabbitmq",
  },
  doc: "The connection of the RabbitMQ secrets engine to the RabbitMQ management API. The server never returns it.",
  section: "A2. Message-queue engine",
  service: secrets,
  fields: {
    ...writeOnlyFields,
    namespace: namespaceField,
    mount: mountField("queue"),
    connectionUri: field(z.string().min(1), {
      doc: "The URI of the RabbitMQ management API. The URI may contain credentials.",
      secret: true,
      secretsIn: credentialsIn,
    }),
    username: field(z.string().min(1), { doc: "The name of a RabbitMQ management administrator." }),
    password: field(z.string().min(1), {
      doc: "The password of the RabbitMQ management administrator.",
      secret: true,
    }),
    verifyConnection: field(z.boolean().optional(), {
      doc: "Test the connection before the server stores it.",
      default: true,
    }),
    passwordPolicy: field(z.string().optional(), {
      doc: "The name of the password policy for generated passwords. If empty, passwords are alphanumeric.",
      empty: "",
    }),
    usernameTemplate: field(z.string().optional(), {
      doc: "The template for generated user names.",
      empty: "",
    }),
  },
  rules: [rule(["usernameTemplate"], templateProblem, "must close each `{{`")],
  notes: ({ inputs }) => templateDoubts("usernameTemplate", inputs.usernameTemplate, {}),
  where: placeOfEngine("queue", "{mount}"),
  life: writeOnly(
    post("/{+mount}/config/connection"),
    "the server cannot delete the connection, so it stays until the secrets engine is unmounted",
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
