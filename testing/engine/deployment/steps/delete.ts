import { isProviderType } from "../../state/urn";
import type { Entry } from "../record/entry";
import { Protected } from "./protected";
import type { Step } from "./step";
import type { Surroundings } from "./surroundings";

/** A step with an existing resource. */
export type DeleteStep = Step & { readonly old: Entry };

export function deleteStep(surroundings: Surroundings, old: Entry): DeleteStep {
  return deletion(surroundings, old, { replacing: false, createFollows: false });
}

/** Deletes the old resource of a replacement. If the new one is created later, the old one stays recorded until then. */
export function deleteReplacedStep(
  surroundings: Surroundings,
  old: Entry,
  createFollows: boolean,
): DeleteStep {
  return deletion(surroundings, old, { replacing: true, createFollows });
}

function deletion(
  surroundings: Surroundings,
  old: Entry,
  { replacing, createFollows }: { readonly replacing: boolean; readonly createFollows: boolean },
): DeleteStep {
  const { ledger, marks, preview, providers } = surroundings;
  const { urn, type, external } = old.state;
  const [op, replacingOp] = external
    ? (["discard", "discard-replaced"] as const)
    : (["delete", "delete-replaced"] as const);
  return {
    op: replacing ? replacingOp : op,
    urn,
    type,
    old,
    logical: !replacing,
    pending: { entry: old, type: "deleting" },
    async apply() {
      const { state } = old;
      if (!replacing && state.protect) throw new Protected(protectedText(urn));
      const goesWithAnother = state.deletedWith !== undefined && marks.deletes.has(state.deletedWith);
      const ours = state.custom && !state.external && !state.retainOnDelete && !goesWithAnother;
      if (ours && !preview && !isProviderType(type)) {
        const server = await providers.get(state.provider ?? "");
        const known = { inputs: state.inputs ?? {}, outputs: state.outputs ?? {} };
        await server.delete(urn, state.id ?? "", known, state.customTimeouts?.delete ?? 0);
      }
      if (createFollows) old.state = { ...state, pendingReplacement: true };
    },
    commit() {
      if (!old.state.pendingReplacement) ledger.drop(old);
      return true;
    },
  };
}

/** Removes a resource from the record that was deleted for a replacement and is no longer wanted. */
export function forgetStep(surroundings: Surroundings, old: Entry): DeleteStep {
  const { urn, type } = old.state;
  return {
    op: "remove-pending-replace",
    urn,
    type,
    old,
    logical: false,
    apply: () => Promise.resolve(),
    commit() {
      surroundings.ledger.drop(old);
      return true;
    },
  };
}

const protectedText = (urn: string): string =>
  `resource "${urn}" cannot be deleted\n` +
  "because it is protected. To unprotect the resource, either remove the `protect` flag from the resource in " +
  "your Pulumi program and run `pulumi up`, or use the command:\n" +
  `\`pulumi state unprotect '${urn}'\``;
