import type { Redactor } from "../../../packages/redact";
import type { Problem } from "../language/rules";
import type { DiffPath } from "../operations/diff";
import type { Secrecy } from "../state/redaction";
import { formatPath, parsePath } from "../value/path";

/** Changes with paths that the engine may print. */
export function shownChanges(changes: readonly DiffPath[], { shownPath }: Secrecy): DiffPath[] {
  return changes.map((change) => {
    const written = shownPath(change.written);
    return written.length === change.written.length ? change : { ...change, written, kind: "update" };
  });
}

/** Problems with paths that the engine may print, and without secrets in their reasons. */
export function shownProblems(
  problems: readonly Problem[],
  { shownPath }: Secrecy,
  redactor: Redactor,
): Problem[] {
  return problems.map(({ path, reason }) => {
    const segments = parsePath(path);
    const shown = shownPath(segments);
    return { path: shown.length < segments.length ? formatPath(shown) : path, reason: redactor.mask(reason) };
  });
}
