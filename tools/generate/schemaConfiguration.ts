import { ADOPTION_VARIABLE, ADOPTIONS } from "../../provider/core/language/adoption";
import type { Service } from "../../provider/core/language/service";
import { commonSettings, DIALECT_VARIABLE, environmentName } from "../../provider/core/language/settings";
import type { Property, Shape } from "./shape";
import { membersOf } from "./shape";

/** The configuration of the package: the settings of each service, and named connections. */
export interface Configuration {
  /** The settings of an explicit provider. */
  readonly settings: readonly Property[];
  /** The additional settings in the stack's configuration. */
  readonly ofStacks: readonly Property[];
}

/** The configuration of these services. */
export function configurationOf(services: readonly Service[]): Configuration {
  const shapes = services.map((service) => ({ name: service.name, shape: settingsShape(service) }));
  // Programs in other languages pass these settings as plain text: without the secret mark they would be stored unencrypted.
  const settings = shapes.map(({ name, shape }) =>
    setting(name, `Where the ${name} service is, and how it is spoken to.`, shape, { secret: true }),
  );
  const connection = connectionShape(Object.fromEntries(shapes.map(({ name, shape }) => [name, shape])));
  const connections = setting(
    "connections",
    "Further connections by name; a resource picks one with its input `connection`.",
    { kind: "map", of: connection },
    { secret: true },
  );
  const bridge = setting(
    "bridge",
    "By which of its two bridges a program in TypeScript or JavaScript reaches this package. Of programs in other languages the provider plugin is the only one, and nothing is asked.",
    {
      kind: "choice",
      type: { module: "index", name: "Bridge" },
      values: ["dynamic", "plugin"],
      meanings: {
        dynamic: "In a dynamic provider of the program's own SDK, which needs nothing else.",
        plugin: "In a provider plugin, which the engine starts.",
      },
    },
  );
  return { settings: [...settings, connections, dialectSetting, adoptionSetting], ofStacks: [bridge] };
}

/** The shape of a named connection: the settings of every service. */
export function connectionShape(settings: Readonly<Record<string, Shape>>): Shape {
  const aliases = setting(
    "aliases",
    "Former names of this connection: what was made under one of them is the same object.",
    { kind: "list", of: { kind: "text" } },
  );
  const services = Object.entries(settings).map(([name, shape]) =>
    setting(name, `The ${name} service of this connection.`, shape),
  );
  return { kind: "object", type: { module: "index", name: "Connection" }, members: [aliases, ...services] };
}

/** The shape of a service's settings. */
export function settingsShape(service: Service): Shape {
  const type = {
    module: "index",
    name: `${service.name.charAt(0).toUpperCase()}${service.name.slice(1)}Settings`,
  };
  const members = membersOf({ ...commonSettings, ...service.settings }, type).map((member) => ({
    ...member,
    doc: `${member.doc} Environment: \`${environmentName(service, member.name)}\`.`,
  }));
  return { kind: "object", type, members };
}

function setting(name: string, doc: string, shape: Shape, facts: Property["facts"] = {}): Property {
  return { name, doc, shape, required: false, alwaysSet: false, facts };
}

/** The default dialect of every service. */
export const dialectSetting = setting(
  "dialect",
  `The names that the servers use: \`real\` for the products' own, \`neutral\` for the specification's. \`dialect\` in a service's settings overrides it. Environment: \`${DIALECT_VARIABLE}\`. Default: \`real\`.`,
  { kind: "text" },
);

/** How creates treat an existing object, as a setting for all services and resources. */
export const adoptionSetting = setting(
  "adopt",
  `What a create does with an object that it finds in its place; \`adopt\` on a resource counts first. Environment: \`${ADOPTION_VARIABLE}\`. Default: \`never\`.`,
  {
    kind: "choice",
    type: { module: "index", name: "Adoption" },
    values: Object.keys(ADOPTIONS),
    meanings: ADOPTIONS,
  },
);
