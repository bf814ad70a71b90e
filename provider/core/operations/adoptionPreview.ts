import { Forbidden } from "../http/errors";
import type { Definition } from "../language/resource";
import type { StepInput } from "../language/stepInput";
import { objectContextOf } from "../requests/context";
import { propertiesOf } from "../state/errors";
import type { ProgramInputs } from "../value/programInputs";
import { asKnown, hasUnknown } from "../value/unknown";
import { adoptionChanges, immutableDifferences, tableOf } from "./adopt";
import { addressToCreate, compareFound, type FoundObject, find, neverShown } from "./find";
import { effectiveInputs } from "./ignoredPaths";
import { sendInPreview } from "./previewRequest";
import { isTextUnread } from "./readText";

/**
 * Logs what a create with `adopt: true` will change in an existing object. Reads the object, and writes nothing. If the server
 * cannot be asked, a warning reports this once, and the preview does not fail.
 */
export async function previewAdoption(
  definition: Definition,
  input: StepInput,
  written: ProgramInputs,
): Promise<void> {
  if (written.adopt !== true) return;
  const planned = effectiveInputs(definition, input, undefined, written);
  if (isTextUnread(definition, planned)) return;
  if (hasUnknown(planned)) {
    input.log("info", "an existing object is compared with the program once all values are known");
    return;
  }
  const inputs = asKnown(planned);
  const context = objectContextOf(definition, "forecast", input, inputs);
  const scopeNamed = (name: string) => JSON.stringify(["adoption", name, context.connection.name ?? null]);
  const [everywhere, here] = [scopeNamed(definition.service.name), scopeNamed(definition.token)];
  await sendInPreview(context, {
    scopes: [everywhere, here],
    scopeOf: (error) => (error instanceof Forbidden ? here : everywhere),
    unavailable: "an existing object cannot be compared in this preview, and neither can similar objects",
    async send() {
      const found = await find(context, await addressToCreate(context, inputs), inputs);
      if (found !== undefined) logAdoption(compareFound(context, found, inputs));
    },
  });
}

function logAdoption(compared: FoundObject): void {
  const { context, inputs } = compared;
  const immutable = immutableDifferences(compared);
  if (immutable.length > 0) {
    const text = `the object exists and cannot be adopted, because its immutable properties differ (${immutable.join(", ")})`;
    context.log("warning", text, { properties: immutable });
    return;
  }
  const rows = adoptionChanges(compared);
  const unseen = neverShown(context.definition, inputs).map(
    (name) => `${name} (the server never returns it)`,
  );
  const writes = unseen.length === 0 ? "" : `, and writes ${unseen.join(", ")}`;
  const changes = [
    `\`pulumi up\` adopts the existing object${writes}, and changes these values:`,
    ...tableOf(compared, rows),
  ];
  const only = `\`pulumi up\` adopts the existing object${writes || " without a write"}`;
  const text = rows.length > 0 ? changes.join("\n") : only;
  context.log("info", text, { isExisting: true, properties: propertiesOf(rows) });
}
