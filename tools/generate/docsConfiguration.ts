import { ADOPTION, ADOPTION_VARIABLE, ADOPTIONS } from "../../provider/core/language/adoption";
import type { AnyDefinition } from "../../provider/core/language/resource";
import type { Service } from "../../provider/core/language/service";
import {
  commonSettings,
  DEFAULT_DIALECT,
  DIALECT,
  DIALECT_VARIABLE,
  environmentName,
} from "../../provider/core/language/settings";
import { headerOf, shapeWords, table } from "./markdown";
import { servicesOf } from "./schema";
import { defaultOf } from "./sentences";
import { membersOf } from "./shape";

/** Writes the page with every setting of each service, including its environment variable. */
export function configurationPage(definitions: readonly AnyDefinition[]): string {
  const services = servicesOf(definitions);
  const [first] = services;
  const key = `quarterdeck:${first?.name}`;
  return [
    headerOf(""),
    "# Configuration\n",
    "Each service has one object in the stack's configuration. A setting that is not there is taken from its environment variable.\n",
    "```sh",
    `pulumi config set --path --plaintext '${key}.address' https://${first?.name}.example.com`,
    `pulumi config set --path --secret '${key}.token' "$TOKEN"`,
    "```\n",
    `The dialect is the service's \`dialect\`, else \`${DIALECT}\`, else the service's environment variable, else \`${DIALECT_VARIABLE}\`, else \`${DEFAULT_DIALECT}\`. \`real\` uses the names of Nomad, Vault, OpenBao, Consul and HCP Terraform. \`neutral\` uses the specification's names, which only \`quarterdeck-stub --dialect neutral\` understands.\n`,
    "With `dialect: real`, Quarterdeck reads the products' own variables (`VAULT_ADDR`, `NOMAD_TOKEN` …) last. It ignores them if their address is a different server than the one in use. It ignores a product's token if the product's address variable is not set: a token is sent only to the address that came with it. To use such a token with an address from the stack's configuration, set the product's address variable too, or set the token in the configuration.\n",
    "The environment variables are read where the engine runs, at every preview, update, refresh and destroy. Tokens stand in no resource's inputs.\n",
    "A `refresh` or `destroy` without the program uses the settings that the provider has in the state, on either bridge, and so does the refresh of `up --refresh`. Because a token or a certificate may be another one by now, `TOKEN`, `TOKEN_FILE`, `LOGIN`, `CA_FILE`, `CLIENT_CERT_FILE`, `CLIENT_KEY_FILE`, `TIMEOUT` and `MAX_RETRIES` of the environment go before them, unless its `ADDRESS` is another server's. Where a service is, the environment says only where the state does not. A token of the state that is refused is told as one, with what to run; [logins](../logins.md) leave none there.\n",
    ...services.flatMap(serviceSection),
    "## Further connections\n",
    "`quarterdeck:connections` holds further connections by name, each with the same settings per service. A resource picks one with its input `connection`, which is part of its identity; without it the service's own object above applies. Environment variables do not reach named connections.\n",
    "```yaml",
    "config:",
    "  quarterdeck:connections:",
    "    staging:",
    "      aliases: [preprod]",
    ...services.flatMap(({ name }) => [
      `      ${name}:`,
      `        address: https://${name}.staging.example.com`,
    ]),
    "```\n",
    "`aliases` are former names: a connection may be renamed through them, and what was made under the old name is the same object.\n",
    "## What exists already\n",
    `\`${ADOPTION}\`, or \`${ADOPTION_VARIABLE}\` in the environment, says what a create does with an object that it finds in its place, as after a process that was killed: what it had made is in no state. \`adopt\` on a resource counts first.\n`,
    "```sh",
    `pulumi config set ${ADOPTION} identical`,
    "```\n",
    table(
      ["Value", "Meaning"],
      Object.entries(ADOPTIONS).map(([value, meaning]) => [
        value === "never" ? "`never` (default)" : `\`${value}\``,
        meaning,
      ]),
    ),
  ].join("\n");
}

/** The environment variables of a setting: this package's own first, then the products'. */
function variablesOf(service: Service, setting: string): string[] {
  const products = Object.values(service.dialects).flatMap(
    ({ variables }) => variables?.names[setting] ?? [],
  );
  return [environmentName(service, setting), ...products];
}

function serviceSection(service: Service): string[] {
  const members = membersOf(
    { ...commonSettings, ...service.settings },
    { module: "index", name: service.name },
  );
  const rows = members.map((member) => [
    `\`${member.name}\``,
    variablesOf(service, member.name)
      .map((name) => `\`${name}\``)
      .join(", "),
    shapeWords(member.shape),
    defaultOf(member) === undefined ? "" : `\`${defaultOf(member)}\``,
    member.facts.secret ? `${member.doc} Secret.` : member.doc,
  ]);
  return [
    `## ${service.name}\n`,
    `Object: \`quarterdeck:${service.name}\`. Names that its servers may use (\`dialect\`): ${Object.keys(
      service.dialects,
    )
      .map((name) => `\`${name}\``)
      .join(", ")}.\n`,
    table(["Setting", "Environment variables", "Type", "Default", "Meaning"], rows),
  ];
}
