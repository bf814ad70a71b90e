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
import { headerOf, shortTable, table, typeCell } from "./markdown";
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
    "This page lists the settings of each product. A stack's configuration has one object per product, such as `quarterdeck:scheduler` for Nomad. A setting that is missing there is read from its environment variable.\n",
    "```sh",
    `pulumi config set --path --plaintext '${key}.address' https://${first?.name}.example.com`,
    `pulumi config set --path --secret '${key}.token' "$TOKEN"`,
    "```\n",
    "The environment variables are read on the machine that runs Pulumi, at every preview, update, refresh and destroy. Resource inputs never contain tokens.\n",
    "## Products' own variables\n",
    "With `dialect: real`, Quarterdeck uses the products' own variables (`VAULT_ADDR`, `NOMAD_TOKEN` …) only for a setting that nothing else sets:\n",
    "- It ignores them if their address is a different server than the one in use.",
    "- It ignores a product's token if the product's address variable is not set: a token is sent only to the address that came with it.\n",
    "To use such a token with an address from the stack's configuration, also set the product's address variable, or set the token in the configuration.\n",
    "## Dialect\n",
    `The first of these that is set selects the dialect: the product's setting \`dialect\`, \`${DIALECT}\`, the product's environment variable, \`${DIALECT_VARIABLE}\`. The default is \`${DEFAULT_DIALECT}\`.\n`,
    "- `real` uses the names of Nomad, Vault, OpenBao, Consul and HCP Terraform.",
    "- `neutral` uses the names that only `quarterdeck-stub --dialect neutral` understands.\n",
    "## Refresh and destroy without the program\n",
    "A `refresh` or `destroy` without the program, and the refresh of `up --refresh`, use the provider settings in the state. This applies to the plugin and to dynamic providers.\n",
    "Tokens and certificates in the state may be outdated. Therefore the environment variables `TOKEN`, `TOKEN_FILE`, `LOGIN`, `CA_FILE`, `CLIENT_CERT_FILE`, `CLIENT_KEY_FILE`, `TIMEOUT` and `MAX_RETRIES` override the state, unless the environment's `ADDRESS` is a different server. The environment's `ADDRESS` applies only if the state contains no address.\n",
    "If a server rejects a token from the state, the error shows the command that replaces it. [Logins](../logins.md) leave no token in the state.\n",
    ...services.flatMap(serviceSection),
    "## Further connections\n",
    "`quarterdeck:connections` contains further connections by name, each with the same settings per product. A resource selects one with its input `connection`, which is part of its identity. Without it, the default connection applies: the product's own object above. Environment variables do not apply to named connections.\n",
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
    "`aliases` are former names. To rename a connection, add its old name there: objects created under the old name stay the same objects.\n",
    "## Existing objects\n",
    `\`${ADOPTION}\`, or \`${ADOPTION_VARIABLE}\` in the environment, controls creates that find an existing object. An example is an object that a killed process created without saving it in the state. The input \`adopt\` of a resource overrides this setting.\n`,
    "```sh",
    `pulumi config set ${ADOPTION} identical`,
    "```\n",
    table(
      ["Value", "Effect"],
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
    typeCell(member.shape),
    defaultOf(member) === undefined ? "" : `\`${defaultOf(member)}\``,
    member.facts.secret ? `${member.doc} Secret.` : member.doc,
  ]);
  return [
    `## ${service.name} (${service.products.names})\n`,
    `Object: \`quarterdeck:${service.name}\`.\n`,
    shortTable(["Setting", "Environment variables", "Type", "Default", "Description"], rows),
  ];
}
