import type { ReadResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import type { PropertyMap } from "../state";
import { findOld } from "./aliases";
import { refuseProvider } from "./asked";
import type { Deployment } from "./deployment";
import type { Position } from "./goal";
import { Entry } from "./ledger";
import { claimUrn } from "./register";
import type { Step } from "./step";
import { replaceStep } from "./steps/create";
import { readStep } from "./steps/read";
import { fromStruct } from "./wire";

/** A resource that the program only looks at: `get`, or the resource option `id`. */
export interface ReadGoal {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly parent?: string;
  readonly provider?: string;
  readonly dependencies: readonly string[];
  readonly additionalSecretOutputs: readonly string[];
  readonly position: Position;
}

export function readReadGoal(request: ReadResourceRequest, position: Position): ReadGoal {
  refuseProvider(request);
  const parent = request.getParent();
  return {
    type: request.getType(),
    name: request.getName(),
    id: request.getId(),
    inputs: fromStruct(request.getProperties()),
    ...(parent && { parent }),
    dependencies: request.getDependenciesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    position,
  };
}

/** Reads it; what we own under the same URN and with another id is let go of, and deleted at the end. */
export async function decideRead(
  deployment: Deployment,
  goal: ReadGoal,
  done: (entry: Entry) => void,
): Promise<Step[]> {
  const { marks } = deployment;
  const urn = claimUrn(deployment, goal);
  const { old, alias } = findOld(deployment, urn, { ...goal, aliases: [] });
  if (goal.id === "") throw new Error(`Expected an ID for ${urn}`);
  const entry = new Entry({
    urn,
    type: goal.type,
    custom: true,
    id: goal.id,
    inputs: goal.inputs,
    external: true,
    ...(goal.parent !== undefined && { parent: goal.parent }),
    ...(goal.provider !== undefined && { provider: goal.provider }),
    ...(goal.dependencies.length > 0 && { dependencies: goal.dependencies }),
    ...(goal.additionalSecretOutputs.length > 0 && { additionalSecretOutputs: goal.additionalSecretOutputs }),
    ...(alias !== undefined && { aliases: [alias] }),
    ...goal.position,
  });
  const tell = () => done(entry);
  if (old && !old.state.external && old.state.id !== goal.id) {
    marks.replaces.add(urn);
    return [readStep(deployment, entry, { old, replacing: true, done: tell }), replaceStep(old, entry, {})];
  }
  marks.reads.add(urn);
  return [readStep(deployment, entry, { old, replacing: false, done: tell })];
}
