import { Redactor, type Secret } from "../../../packages/redact";
import { decodeField, memberFor } from "../diff/models";
import { fieldsOf, nounOf, type Specified } from "../language/fields";
import { isAddress } from "../language/role";
import type { Json } from "../value/json";
import { metadataOf, withMetadata } from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import { pendingInputs, readableRecords } from "./records";
import { SecretMap } from "./secretMap";

/** The secrets of these inputs and of the earlier inputs that they replace. Registers them with the redactor. */
export function secretMapOf(
  definition: Specified,
  inputs: Inputs,
  redactor: Redactor,
  earlier: Inputs = {},
): SecretMap {
  redactor.add(() => [earlier, inputs].flatMap((each) => new SecretMap(definition, each).collect()));
  const secretPaths = [earlier, inputs].flatMap((each) => metadataOf(each).secretPaths);
  const { parsedText } = metadataOf(inputs);
  const all = withMetadata({ ...earlier, ...inputs }, { ...metadataOf(inputs), secretPaths, parsedText });
  return new SecretMap(definition, all, redactor);
}

/**
 * The redactor of one step, or of one function call. It knows the secrets in the inputs and in the state, and receives those
 * in responses. It searches for secrets only when it masks a text.
 */
export function redactorOf(definition: Specified, inputs: Inputs, outputs?: Inputs): Redactor {
  const redactor = new Redactor(
    () => new SecretMap(definition, inputs).collect(),
    () => (outputs === undefined ? [] : recordedSecrets(definition, outputs)),
  );
  // The names of a resource in its messages: its type, and the parts of its identity.
  const identity = fieldsOf(definition).flatMap(({ name, facts }) => {
    const value = inputs[name];
    return isAddress(facts) && typeof value === "string" ? [value] : [];
  });
  redactor.spare(nounOf(definition), definition.token, ...definition.token.split(":"), ...identity);
  return redactor;
}

/** Every secret in a state: in the outputs, and in each of the records. Unreadable records are never quoted. */
function recordedSecrets(definition: Specified, outputs: Inputs): Secret[] {
  const records = readableRecords(outputs);
  const { lastApplied = {}, baseline = {}, observed = {} } = records ?? {};
  const applied = new SecretMap(definition, lastApplied);
  return [
    ...[outputs, lastApplied, baseline, observed].flatMap((values) => applied.collect(values)),
    ...new SecretMap(definition, pendingInputs(records)).collect(),
  ];
}

/** Every secret in a response's object, or in the responses that a procedure stores. */
export function answeredSecrets(definition: Specified, body: { readonly [member: string]: Json }): Secret[] {
  const values = fieldsOf(definition).map((field) => [
    field.name,
    decodeField(field, memberFor(definition, field, body)),
  ]);
  return new SecretMap(definition).collect(Object.fromEntries(values));
}
