import type { AnyDefinition } from "../language/resource";
import type { Records } from "../state/records";
import { isSecretPathExactly } from "../state/secrets";
import { asideOf } from "../value/aside";
import { isWithinPath, type Path, parsePath, valueAt } from "../value/path";
import { isSameSource, sourceText } from "../value/source";
import type { Inputs } from "../value/unknown";
/**
 * The paths that the program marks secret now and did not at our last write, or the other way round; but for what is kept
 * encrypted whoever writes it.
 */
export function remarked(definition: AnyDefinition, { applied }: Records, inputs: Inputs): Path[] {
  const [before = [], now = []] = [applied, inputs].map((each) => asideOf(each).secrets);
  const moved = [
    ...now.filter((path) => !before.includes(path)),
    ...before.filter((path) => !now.includes(path)),
  ];
  // What the program ignores has the marks of the state, which may be those of copied secrets.
  const { ignored = [] } = asideOf(inputs);
  return moved
    .filter((path) => !ignored.some((above) => isWithinPath(path, above)))
    .map(parsePath)
    .filter((path) => !isSecretPathExactly(definition, {}, path));
}

/** The paths at which the program says another source of a secret than at our last write, or begins or ceases to say one. */
export function resourced({ applied }: Records, inputs: Inputs): Path[] {
  const [before = {}, now = {}] = [applied, inputs].map((each) => asideOf(each).sources);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return paths.filter((path) => !isSameSource(before[path], now[path])).map(parsePath);
}

/** Which secrets are others now at the sources that the program says, as it did at our last write. */
export function rotated({ applied }: Records, inputs: Inputs): string[] {
  const before = asideOf(applied).sources ?? {};
  return Object.entries(asideOf(inputs).sources ?? {}).flatMap(([path, source]) => {
    const at = parsePath(path);
    const isRotated = isSameSource(before[path], source) && valueAt(applied, at) !== valueAt(inputs, at);
    return isRotated ? [`${path}: the value behind ${sourceText(source)} is another one`] : [];
  });
}
