import { z } from "zod";
import {
  type DocumentFacts,
  formatPath,
  type Inputs,
  isMarked,
  isObject,
  type Json,
  jsonText,
  leavingOut,
  type Path,
  type Rule,
  rule,
  type Spelling,
  text,
} from "../../core";

const PATTERN = "A regular expression; if omitted or empty, none.";

/** The permissions on a virtual host. The server ignores other members, so the typed map does not allow them. */
const permission = z.strictObject({
  configure: text(`The resources that users may create and delete. ${PATTERN}`),
  write: text(`The resources that users may write to. ${PATTERN}`),
  read: text(`The resources that users may read from. ${PATTERN}`),
});

/** The permissions on an exchange, by routing keys. */
const topicPermission = z.strictObject({
  write: text(`The routing keys that users may publish with. ${PATTERN}`),
  read: text(`The routing keys that users may consume. ${PATTERN}`),
});

/** Virtual hosts and the permissions on each. The keys are open: they are the user's virtual hosts. */
export const vhostPermissions = z.record(z.string(), permission);

/** Virtual hosts, their exchanges, and the permissions on each. The keys are open: they are the user's. */
export const vhostTopicPermissions = z.record(z.string(), z.record(z.string(), topicPermission));

/** The nesting of such a map: the number of levels with the user's keys, and the names of the permissions below them. */
interface Nesting {
  readonly levels: number;
  readonly names: readonly string[];
}

/** The two properties, and the nesting of their maps. */
const NESTING: Readonly<Record<"vhosts" | "vhostTopics", Nesting>> = {
  vhosts: { levels: 1, names: Object.keys(permission.shape) },
  vhostTopics: { levels: 2, names: Object.keys(topicPermission.shape) },
};

type Property = keyof typeof NESTING;

/** An empty permission equals a missing one: the server stores both as empty text. */
export const vhostFacts: DocumentFacts = leavingOut(vhostPermissions, "snake");
export const vhostTopicFacts: DocumentFacts = leavingOut(vhostTopicPermissions, "snake");

/**
 * A permission map, or JSON text of one. The server decodes null as an entry without permissions, and ignores the case of a
 * permission's name.
 */
export function permissionMap(property: Property): Spelling {
  const { levels, names } = NESTING[property];
  const withEmptyEntries = (value: Json, level: number): Json => {
    if (value === null && level > 0) return {};
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(([name, member]): [string, Json] => {
      if (level < levels) return [name, withEmptyEntries(member, level + 1)];
      const permission = name.toLowerCase();
      return [names.includes(permission) ? permission : name, member];
    });
    return Object.fromEntries(members);
  };
  return { ...jsonText, canonical: (value) => withEmptyEntries(jsonText.canonical(value), 0) };
}

/** The rule that JSON text is a map that the server can read (specification: Message-queue role; wire facts: bad JSON 400). */
export function permissionsRule(property: Property): Rule {
  return rule(
    [property],
    (value) => {
      const map = mapIn(value);
      if (map !== null && !isObject(map)) return true;
      const wrong = [...findings(map, NESTING[property])].filter(({ isUnknown }) => !isUnknown);
      return wrong.map(({ at, said }) => `${formatPath(at)} ${said}`).join("; ");
    },
    'must be a map, or a JSON string of a map, such as {"/": {"read": ".*"}}',
  );
}

/** Preview notes about JSON text: the server ignores unknown permissions. */
export function permissionDoubts(property: Property, inputs: Inputs): string[] {
  const text = inputs[property];
  const map = mapIn(typeof text === "string" ? text : undefined);
  const unknown = [...findings(map, NESTING[property])].filter(({ isUnknown }) => isUnknown);
  const known = NESTING[property].names.join(", ");
  // Names in a secret text are secret too.
  const told = isMarked(inputs, [property])
    ? unknown.slice(0, 1).map(() => "an entry")
    : unknown.map(({ at }) => formatPath(at));
  return told.map(
    (what) => `${property}: ${what} is not a permission, and the server ignores it; permissions: ${known}`,
  );
}

function mapIn(value: Json | undefined): Json {
  return typeof value === "string" ? jsonText.canonical(value) : null;
}

interface Finding {
  readonly at: Path;
  readonly said: string;
  readonly isUnknown?: true;
}

/** Finds values that are not a map or text, and unknown permissions. Null counts as empty. */
function* findings(value: Json, { levels, names }: Nesting, at: Path = []): Generator<Finding> {
  if (value === null) return;
  if (!isObject(value)) {
    yield { at, said: "must be a map" };
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const below = [...at, name];
    if (levels > 0) yield* findings(member, { levels: levels - 1, names }, below);
    else if (!names.includes(name.toLowerCase())) yield { at: below, said: "", isUnknown: true };
    else if (member !== null && typeof member !== "string") yield { at: below, said: "must be a string" };
  }
}
