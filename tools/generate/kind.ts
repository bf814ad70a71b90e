import { type AnyDefinition, hasLifecycle } from "../../provider/core/language/resource";
import { isWritable } from "../../provider/core/language/role";
import { isSecret, secretMembersOf } from "./secrecy";
import type { Property } from "./shape";

/** Writes the runtime's metadata of a resource type for its class file. */
export function kindText(definition: AnyDefinition, properties: readonly Property[]): string {
  const names = (which: (property: Property) => boolean) => properties.filter(which).map(({ name }) => name);
  const documents = properties.flatMap((property): [string, string[]][] => {
    const members = secretMembersOf(property, definition);
    return members.length === 0 ? [] : [[property.name, members]];
  });
  const kind = {
    token: definition.token,
    inputs: names(({ facts }) => isWritable(facts)),
    required: names(({ required }) => required),
    outputs: names(({ facts }) => !isWritable(facts)),
    secrets: names(isSecret),
    secretMembers: Object.fromEntries(documents),
    ...(hasLifecycle(definition, "object") && definition.life.writes.forecast && { isForetold: true }),
    ...(saysAddress(definition, properties) && { idSegments: idSegmentsOf(definition, properties) }),
  };
  return `const kind: ResourceKind = ${JSON.stringify(kind)};\n`;
}

/** The outputs that are part of a resource's ID, with the index of their segment. */
function idSegmentsOf({ where }: AnyDefinition, properties: readonly Property[]): Record<string, number> {
  const segments = where.id.template.split("/");
  return Object.fromEntries(
    properties.flatMap(({ name, facts }) => {
      const segment = segments.indexOf(`{${name}}`);
      return isWritable(facts) || segment < 0 ? [] : [[name, segment]];
    }),
  );
}

function saysAddress(definition: AnyDefinition, properties: readonly Property[]): boolean {
  return Object.keys(idSegmentsOf(definition, properties)).length > 0;
}
