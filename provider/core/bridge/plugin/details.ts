import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import type { Diff, DiffPath } from "../../steps/diff";
import { formatPath } from "../../value/path";

const { Kind } = PropertyDiff;

const KINDS = {
  add: [Kind.ADD, Kind.ADD_REPLACE],
  update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
  delete: [Kind.DELETE, Kind.DELETE_REPLACE],
} as const;

/**
 * What an update would change, by paths into what the program writes, so that a preview shows those and nothing else. The
 * engine takes the values from the inputs: from what they were to what they are.
 */
export function diffAnswer({ changes, deleteFirst }: Diff): DiffResponse {
  const response = new DiffResponse();
  response.setChanges(
    changes.length > 0 ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE,
  );
  // Whatever has a path; a resource that is only to go on has none.
  const paths = changes.filter(({ written }) => written.length > 0);
  response.setDiffsList(namesOf(paths));
  response.setReplacesList(namesOf(paths.filter(({ replaces }) => replaces)));
  response.setDeletebeforereplace(deleteFirst);
  response.setHasdetaileddiff(true);
  const details = response.getDetaileddiffMap();
  for (const path of paths) {
    const key = formatPath(path.written);
    // One place in what is written may stand for several in what is compared: what replaces is said.
    if (details.has(key) && !path.replaces) continue;
    details.set(key, detail(path));
  }
  return response;
}

function detail({ kind, replaces }: DiffPath): PropertyDiff {
  const [plain, replacing] = KINDS[kind];
  const diff = new PropertyDiff();
  diff.setKind(replaces ? replacing : plain);
  diff.setInputdiff(true);
  return diff;
}

/** The properties that paths lead into. */
function namesOf(paths: readonly DiffPath[]): string[] {
  return [...new Set(paths.map(({ written: [name] }) => String(name)))];
}
