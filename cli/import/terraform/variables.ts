import { serviceOf } from "../../state/deployment";

/** Chooses names of variables that differ from each other and from the names that the program imports. */
export class Variables {
  private readonly used = new Set(["config", "pulumi", "quarterdeck"]);

  /** `webJob` for the job `web`; with its service or a number if that is in use. */
  choose(label: string, token: string): string {
    const kind = token.split(":").at(-1) ?? "";
    const base = camelCase(label);
    const names = [`${base}${kind}`, `${base}${capitalized(serviceOf(token))}${kind}`];
    let chosen = names.find((name) => !this.used.has(name));
    for (let number = 2; chosen === undefined; number += 1) {
      const name = `${names[0]}${number}`;
      if (!this.used.has(name)) chosen = name;
    }
    this.used.add(chosen);
    return chosen;
  }
}

/** `netWeb0` for `net-web-0`. A name that begins with a digit gets an underscore. */
export function camelCase(text: string): string {
  const [first = "", ...rest] = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = [first.charAt(0).toLowerCase() + first.slice(1), ...rest.map(capitalized)].join("");
  return /^[A-Za-z]/.test(joined) ? joined : `_${joined}`;
}

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
