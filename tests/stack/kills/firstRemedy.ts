/** Remedies in an error that change something; `pulumi refresh --preview-only` does not. */
const WAYS =
  /set (\w+): (true|"\w+")|pulumi\s+refresh(?!\s+--preview-only)|pulumi\s+cancel|[Tt]he\s+same\s+command\s+again|pulumi\s+up\s+again/;

/** The first remedy in a text, with its value if it is a setting of the program. */
export function firstRemedyIn(text: string): {
  readonly way: string;
  readonly setting?: Readonly<Record<string, unknown>>;
} {
  const [found = "none", property, value] = WAYS.exec(text) ?? [];
  // A terminal breaks its lines anywhere.
  const way = found.replace(/\s+/g, " ");
  return { way, ...(property !== undefined && { setting: { [property]: JSON.parse(value ?? "true") } }) };
}
