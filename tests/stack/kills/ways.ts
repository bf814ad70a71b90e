/** What an error names of what a user can do and that changes something: a look (`pulumi refresh --preview-only`) is none. */
const WAYS =
  /set (\w+): (true|"\w+")|pulumi\s+refresh(?!\s+--preview-only)|pulumi\s+cancel|[Tt]he\s+same\s+command\s+again|pulumi\s+up\s+again/;

/** The first way on in a text, and the setting of the program where it is one. */
export function firstWayIn(text: string): {
  readonly way: string;
  readonly setting?: Readonly<Record<string, unknown>>;
} {
  const [said = "none", property, value] = WAYS.exec(text) ?? [];
  // A terminal breaks its lines anywhere.
  const way = said.replace(/\s+/g, " ");
  return { way, ...(property !== undefined && { setting: { [property]: JSON.parse(value ?? "true") } }) };
}
