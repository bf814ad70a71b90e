import { z } from "zod";
import { type Default, field, type Place, place } from "../../core";
import { directoryName, genericName, nameWithAt } from "./names";
import { inNamespace } from "./namespaces";
import { USUAL_MOUNTS } from "./usualMounts";

export { USUAL_MOUNTS } from "./usualMounts";

/** The engines of the secrets service, their setting for the mount, and what they make of their objects' names. */
const engines = {
  queue: { called: "message-queue", setting: "queueMount", naming: genericName },
  cloud: { called: "cloud credentials", setting: "cloudMount", naming: nameWithAt },
  directory: { called: "directory", setting: "directoryMount", naming: directoryName },
} as const;

/** The parts of an address that an engine's objects share: where it is mounted, and the names of what it stores. */
export function engineParts(engine: keyof typeof engines): Pick<Place, "defaults" | "names"> {
  const { naming } = engines[engine];
  return { defaults: mountOf(engine), names: { name: naming, roleName: naming, setName: naming } };
}

/** A mount's path, as it stands in the paths of the specification, `{mq_mount}/config`: no slash at either end. */
export const MOUNT = /^[^/]+(\/[^/]+)*$/;

/** A mount's path as a request carries it. */
export const mountPath = z
  .string()
  .regex(MOUNT, "must be a path without a slash at either end, such as ldap or teams/web/ldap");

/** The input that says where an engine is mounted: part of the object's identity. */
export function mountField(engine: keyof typeof engines) {
  const { called, setting } = engines[engine];
  const [neutral, real] = [USUAL_MOUNTS.neutral[setting], USUAL_MOUNTS.real[setting]];
  const inNeutral = neutral === real ? "" : ` (\`${neutral}\` in the \`neutral\` dialect)`;
  return field(mountPath.optional(), {
    doc: `Where the ${called} engine is mounted.`,
    toWrite: `Any path. Default: the connection's \`${setting}\`, else \`${real}\`${inNeutral}.`,
    role: "identity",
    location: "address",
  });
}

/** Where an engine is mounted if a program does not say it. A resource stays at the default under which it was made. */
export function mountOf(engine: keyof typeof engines): { readonly mount: Default } {
  const { setting } = engines[engine];
  const usual: readonly (string | undefined)[] = Object.values(USUAL_MOUNTS).map((mounts) => mounts[setting]);
  return {
    mount: {
      of({ settings, dialect }) {
        const mount = settings[setting];
        return typeof mount === "string" ? mount : dialect.defaults?.[setting];
      },
      isFormer: ({ settings }, recorded) => settings[setting] === undefined && usual.includes(recorded),
    },
  };
}

/** The place of what an engine holds. */
export function mounted(engine: keyof typeof engines, template: string, more: Pick<Place, "answered"> = {}) {
  return place(inNamespace(template), { ...engineParts(engine), ...more });
}
