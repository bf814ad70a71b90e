import type { Notice, Subject } from "../language/stepInput";

/** A resource as a line names it: `scheduler:Job "default/web"`. */
export function subjectText({ type, name }: Subject): string {
  return name === undefined ? type : `${type} ${JSON.stringify(name)}`;
}

/** A notice as a line. */
export function noticeText({ kind, about, text }: Notice): string {
  if (about === undefined) return text;
  const told = `${subjectText(about)}: ${text}`;
  return kind === "progress" ? told : `${kind}: ${told}`;
}
