import type { Subject, Told } from "../language/call";

/** A resource as a line names it: `scheduler:Job "default/web"`. */
export function subjectWords({ type, name }: Subject): string {
  return name === undefined ? type : `${type} ${JSON.stringify(name)}`;
}

/** What a person is told, as a line. */
export function toldWords({ kind, about, text }: Told): string {
  if (about === undefined) return text;
  const told = `${subjectWords(about)}: ${text}`;
  return kind === "progress" ? told : `${kind}: ${told}`;
}
