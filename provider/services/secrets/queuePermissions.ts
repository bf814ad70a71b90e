import { z } from "zod";
import { issueText } from "../../core/language/issueText";
import { text } from "../../core/language/members";
import { type Rule, rule } from "../../core/language/rules";
import { isObject } from "../../core/value/json";
import { formatPath, type Path } from "../../core/value/path";
import { jsonText } from "../../core/value/spelling";

const PATTERN = "a regular expression; nothing where it is left out or empty.";

/** What a user may do on a virtual host. The service takes no notice of other members, so that none is let through. */
const permission = z.strictObject({
  configure: text(`Which resources may be made and deleted: ${PATTERN}`),
  write: text(`Which resources may be written to: ${PATTERN}`),
  read: text(`Which resources may be read from: ${PATTERN}`),
});

/** What a user may do on an exchange, by routing keys. */
const topicPermission = z.strictObject({
  write: text(`Which routing keys may be published with: ${PATTERN}`),
  read: text(`Which routing keys may be consumed with: ${PATTERN}`),
});

/** Virtual hosts and the permissions on each. Open in its keys, which are the user's virtual hosts. */
export const vhostPermissions = z.record(z.string(), permission);

/** Virtual hosts, their exchanges, and the permissions on each. Open in its keys, which are the user's. */
export const vhostTopicPermissions = z.record(z.string(), z.record(z.string(), topicPermission));

/** A map written as JSON text holds what the map itself may hold. */
export function heldTo(property: string, schema: z.ZodType): Rule {
  return rule(
    [property],
    (value) => {
      if (typeof value !== "string") return undefined;
      const map = jsonText.canonical(value);
      if (map === null) return undefined;
      if (!isObject(map)) return true;
      const result = schema.safeParse(map);
      return result.success ? undefined : result.error.issues.map(said).join("; ");
    },
    'must be a map, or JSON text of one, such as {"/": {"read": ".*"}}',
  );
}

function said(issue: z.core.$ZodIssue): string {
  // The paths of these schemas hold names only.
  const at = formatPath(issue.path as Path);
  if (issue.code !== "unrecognized_keys") return `${at} ${issueText(issue)}`;
  const wrong = issue.keys.map((key) => JSON.stringify(key)).join(", ");
  return `${at}: there is no permission ${wrong}; known: ${knownAt(issue.path.length)}`;
}

/** A topic's permissions stand one map deeper. */
function knownAt(depth: number): string {
  const { shape } = depth === 1 ? permission : topicPermission;
  return Object.keys(shape).join(", ");
}
