import { asideFrom, asideOf, withAside } from "../value/aside";
import { isObject } from "../value/json";
import type { Inputs } from "../value/unknown";

/** Properties by name, in the form in which an engine sends them. */
export type Bag = Readonly<Record<string, unknown>>;

/**
 * The one property that carries additional data to a dynamic provider: the SDK's paths of secrets and of ignored changes,
 * and the preview flag. In the inputs of a state, it also identifies the text that the service has parsed, on either bridge.
 * Only the bridges see this property.
 */
export const ASIDE_PROPERTY = "__aside";

/** The inputs or outputs without the property, together with its additional data. */
export function fromAsideProperty({ [ASIDE_PROPERTY]: handed, ...values }: Inputs): Inputs {
  const { reading: _, ...along } = isObject(handed) ? asideFrom(handed) : {};
  return withAside(values, along);
}

/** Inputs with their additional data in the property. */
export function withAsideProperty(inputs: Inputs, read = asideOf(inputs).reading?.of): Inputs {
  const { secrets = [], ignored = [] } = asideOf(inputs);
  const along = {
    ...(secrets.length > 0 && { secrets: [...secrets] }),
    ...(ignored.length > 0 && { ignored: [...ignored] }),
    ...(read !== undefined && { read }),
  };
  return Object.keys(along).length === 0 ? inputs : { ...inputs, [ASIDE_PROPERTY]: along };
}

/** The properties without the additional data. */
export function withoutAside({ [ASIDE_PROPERTY]: _, ...values }: Bag): Bag {
  return values;
}

/**
 * True if a program declares that it is in a preview. The response to a check leaves this out, so that no plan and no state
 * contains it.
 */
export function isPreviewed({ [ASIDE_PROPERTY]: handed }: Bag): boolean {
  return isObject(handed) && handed.preview === true;
}

/** The fingerprint of the text that these inputs declare as parsed. */
export function textRead(bag: Bag = {}): string | undefined {
  const { [ASIDE_PROPERTY]: handed } = bag;
  const { read } = isObject(handed) ? handed : {};
  return typeof read === "string" ? read : undefined;
}
