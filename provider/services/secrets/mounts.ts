import { z } from "zod";
import { type Default, field, type Place, place } from "../../core";
import { directoryName, genericName, nameWithAt } from "./names";
import { inNamespace } from "./namespaces";
import { USUAL_MOUNTS } from "./usualMounts";

export { USUAL_MOUNTS } from "./usualMounts";

/** The engines of Vault and OpenBao, their mount settings, and their rules for object names. */
const engines = {
  queue: { called: "RabbitMQ", setting: "queueMount", naming: genericName },
  cloud: { called: "AWS", setting: "cloudMount", naming: nameWithAt },
  directory: { called: "LDAP", setting: "directoryMount", naming: directoryName },
} as const;

/** The address parts that an engine's objects share: the mount, and the rules for their names. */
export function engineParts(engine: keyof typeof engines): Pick<Place, "defaults" | "names"> {
  const { naming } = engines[engine];
  return { defaults: mountOf(engine), names: { name: naming, roleName: naming, setName: naming } };
}

/** A mount's path without a slash at either end, as in the specification's paths: `{mq_mount}/config`. */
export const MOUNT = /^[^/]+(\/[^/]+)*$/;

/** The schema of a mount's path: a new one for each property, because its facts belong to the schema. */
export const mountPath = () =>
  z
    .string()
    .regex(MOUNT, "must be a path without a leading or trailing slash, such as ldap or teams/web/ldap");

/** The input for an engine's mount: part of the object's identity. */
export function mountField(engine: keyof typeof engines) {
  const { called, setting } = engines[engine];
  const [neutral, real] = [USUAL_MOUNTS.neutral[setting], USUAL_MOUNTS.real[setting]];
  const inNeutral = neutral === real ? "" : ` (\`${neutral}\` in the \`neutral\` dialect)`;
  return field(mountPath().optional(), {
    doc: `The mount path of the ${called} secrets engine, such as \`${real}\` or \`teams/web/${real}\`.`,
    toWrite: `Default: the connection's \`${setting}\`, else \`${real}\`${inNeutral}.`,
    role: "identity",
    location: "address",
  });
}

/** The default mount of an engine. A resource keeps the default of its creation. */
export function mountOf(engine: keyof typeof engines): { readonly mount: Default } {
  const { setting } = engines[engine];
  const usual: readonly (string | undefined)[] = Object.values(USUAL_MOUNTS).map((mounts) => mounts[setting]);
  return {
    mount: {
      valueFor({ settings, dialect }) {
        const mount = settings[setting];
        return typeof mount === "string" ? mount : dialect.defaults?.[setting];
      },
      isFormer: ({ settings }, recorded) => settings[setting] === undefined && usual.includes(recorded),
    },
  };
}

/** The address of an engine's objects. */
export function placeOfEngine(
  engine: keyof typeof engines,
  template: string,
  more: Pick<Place, "fromResponse"> = {},
) {
  return place(inNamespace(template), { ...engineParts(engine), ...more });
}
