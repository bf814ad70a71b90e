import { type Aside, asideOf, withAside } from "../../value/aside";
import { isObject, type Json } from "../../value/json";
import type { Inputs } from "../../value/unknown";
import type { Bag } from "./handler";

/**
 * The one property with which what is no input of a resource reaches a dynamic provider: the SDK's paths of secrets and of
 * what the program ignores. In the inputs of a state it names the text, too, that its service has read. Nothing behind the
 * bridge sees it.
 */
export const HANDED_ALONG = "__aside";

/** The properties in which it travelled once; states of then hold them. */
const FORMER = { secrets: "__secrets", ignored: "__ignored", reading: "__parsed" } as const;

/** The inputs, or outputs, as the program means them, with what was handed along. */
export function takenOff(values: Inputs): Inputs {
  const {
    [HANDED_ALONG]: handed,
    [FORMER.secrets]: secrets,
    [FORMER.ignored]: ignored,
    [FORMER.reading]: reading,
    ...own
  } = values;
  const along = isObject(handed) ? handed : { secrets, ignored };
  return withAside(own, {
    secrets: pathsIn(along.secrets),
    ignored: pathsIn(along.ignored),
    ...readingIn(reading),
  });
}

/** Inputs with what goes along in its property. */
export function putBack(inputs: Inputs, read = asideOf(inputs).reading?.of): Inputs {
  const { secrets = [], ignored = [] } = asideOf(inputs);
  const along = {
    ...(secrets.length > 0 && { secrets: [...secrets] }),
    ...(ignored.length > 0 && { ignored: [...ignored] }),
    ...(read !== undefined && { read }),
  };
  return Object.keys(along).length === 0 ? inputs : { ...inputs, [HANDED_ALONG]: along };
}

/** The fingerprint of the text that these inputs say was read. */
export function textRead(bag: Bag): string | undefined {
  const { [HANDED_ALONG]: handed } = bag;
  const { read } = isObject(handed) ? handed : {};
  return typeof read === "string" ? read : undefined;
}

function pathsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((path) => typeof path === "string") : [];
}

function readingIn(value: unknown): Pick<Aside, "reading"> {
  if (!isObject(value) || typeof value.of !== "string" || value.says === undefined) return {};
  // The engine hands back the JSON that was kept there.
  return { reading: { of: value.of, says: value.says as Json } };
}
