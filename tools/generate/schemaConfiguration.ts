import { ADOPTION_VARIABLE, ADOPTIONS } from "../../provider/core/language/adoption";
import type { Service } from "../../provider/core/language/service";
import { commonSettings, DIALECT_VARIABLE, environmentName } from "../../provider/core/language/settings";
import type { Property, Shape } from "./shape";
import { membersOf, upper } from "./shape";
import type { ObjectShape } from "./typescript";

/** The configuration of the package: the settings of each service, and named connections. */
export interface Configuration {
  /** The settings of an explicit provider. */
  readonly settings: readonly Property[];
  /** The additional settings in the stack's configuration. */
  readonly ofStacks: readonly Property[];
}

/** The configuration of these services. */
export function configurationOf(services: readonly Service[]): Configuration {
  // Programs in other languages pass these settings as plain text: without the secret mark they would be stored unencrypted.
  const settings = services.map((service) =>
    setting(service.name, settingsDoc(service), settingsShape(service), { secret: true }),
  );
  const connections = setting(
    "connections",
    "Further connections by name. A resource selects one with its input `connection`.",
    { kind: "map", of: connectionShape(services) },
    { secret: true },
  );
  const bridge = setting(
    "bridge",
    "How a TypeScript or JavaScript program reaches this package: through dynamic providers or through the plugin. Programs in other languages always use the plugin and ignore this setting.",
    {
      kind: "choice",
      type: { module: "index", name: "Bridge" },
      values: ["dynamic", "plugin"],
      meanings: {
        dynamic: "Dynamic providers of the Pulumi SDK, which need no further setup.",
        plugin: "The plugin, which the Pulumi engine starts.",
      },
    },
  );
  return { settings: [...settings, connections, dialectSetting, adoptionSetting], ofStacks: [bridge] };
}

/** The documentation of a product's settings. */
export function settingsDoc({ products }: Service): string {
  return `Address, token and other settings of ${products.names}.`;
}

/** The shape of a named connection: the settings of every service. */
export function connectionShape(services: readonly Service[]): Shape {
  const aliases = setting(
    "aliases",
    "Former names of this connection. Objects created under a former name stay the same objects.",
    { kind: "list", of: { kind: "text" } },
  );
  const settings = services.map((service) =>
    setting(service.name, `${settingsDoc(service)} Applies to this connection.`, settingsShape(service)),
  );
  return { kind: "object", type: { module: "index", name: "Connection" }, members: [aliases, ...settings] };
}

/** The shape of a service's settings. */
export function settingsShape(service: Service): ObjectShape {
  const type = {
    module: "index",
    name: `${upper(service.name)}Settings`,
  };
  const members = membersOf({ ...commonSettings, ...service.settings }, type).map((member) => ({
    ...member,
    doc: `${member.doc} Environment variable: \`${environmentName(service, member.name)}\`.`,
  }));
  return { kind: "object", type, members };
}

function setting(name: string, doc: string, shape: Shape, facts: Property["facts"] = {}): Property {
  return { name, doc, shape, required: false, alwaysSet: false, facts };
}

/** The default dialect of every service. */
export const dialectSetting = setting(
  "dialect",
  `Names that the servers use: \`real\` for the products' own names, \`neutral\` for \`quarterdeck-stub --dialect neutral\`. \`dialect\` in a product's settings overrides it. Environment variable: \`${DIALECT_VARIABLE}\`. Default: \`real\`.`,
  { kind: "text" },
);

/** How creates treat an existing object, as a setting for all services and resources. */
export const adoptionSetting = setting(
  "adopt",
  `Effect of a create that finds an existing object. The input \`adopt\` of a resource overrides it. Environment variable: \`${ADOPTION_VARIABLE}\`. Default: \`never\`.`,
  {
    kind: "choice",
    type: { module: "index", name: "Adoption" },
    values: Object.keys(ADOPTIONS),
    meanings: ADOPTIONS,
  },
);
