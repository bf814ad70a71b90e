import type { Notice, Subject } from "../language/stepInput";
import { asideFrom, asideOf, withAside, withoutFormer } from "../value/aside";
import { isObject } from "../value/json";
import type { Inputs } from "../value/unknown";

/** Properties by name, in the forms in which an engine hands them over. */
export type Bag = Readonly<Record<string, unknown>>;

/**
 * The one property with which what is no input of a resource reaches a dynamic provider: the SDK's paths of secrets and of
 * what the program ignores, and that it is previewed. In the inputs of a state it names the text, too, that its service has read, on either bridge.
 * Nothing behind the bridges sees it.
 */
export const ASIDE_PROPERTY = "__aside";

/** The inputs, or outputs, as the program means them, with what was handed along. */
export function fromAsideProperty({ [ASIDE_PROPERTY]: handed, ...values }: Inputs): Inputs {
  const { own, former } = withoutFormer(values);
  const { reading: _, ...along } = isObject(handed) ? asideFrom(handed) : former;
  return withAside(own, { ...former, ...along });
}

/** Inputs with what goes along in its property. */
export function withAsideProperty(inputs: Inputs, read = asideOf(inputs).reading?.of): Inputs {
  const { secrets = [], ignored = [] } = asideOf(inputs);
  const along = {
    ...(secrets.length > 0 && { secrets: [...secrets] }),
    ...(ignored.length > 0 && { ignored: [...ignored] }),
    ...(read !== undefined && { read }),
  };
  return Object.keys(along).length === 0 ? inputs : { ...inputs, [ASIDE_PROPERTY]: along };
}

/** Properties without what was handed along in theirs. */
export function withoutAside({ [ASIDE_PROPERTY]: _, ...values }: Bag): Bag {
  return values;
}

/** Whether a program says that it is previewed. It is no part of what a check answers, so that no plan and no state holds it. */
export function isPreviewed({ [ASIDE_PROPERTY]: handed }: Bag): boolean {
  return isObject(handed) && handed.preview === true;
}

/** The fingerprint of the text that these inputs say was read. */
export function textRead(bag: Bag = {}): string | undefined {
  const { [ASIDE_PROPERTY]: handed } = bag;
  const { read } = isObject(handed) ? handed : {};
  return typeof read === "string" ? read : undefined;
}

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

/**
 * Which objects a pass of an engine has shown to go, and which name which: whichever of the two is shown later, it is told.
 * What a program only deletes no engine shows in a preview, so nothing is known of it.
 */
export class Going {
  readonly #going = new Map<string, string>();
  readonly #naming = new Map<string, Set<string>>();

  /** @returns those of the named objects that go, in words */
  names(who: string, keys: readonly string[]): string[] {
    for (const key of keys) this.#naming.set(key, (this.#naming.get(key) ?? new Set()).add(who));
    return [...new Set(keys.flatMap((key) => this.#going.get(key) ?? []))].filter((what) => what !== who);
  }

  /** @returns who names the object that goes, in words */
  goes(what: string, keys: readonly string[]): string[] {
    for (const key of keys) this.#going.set(key, what);
    return [...new Set(keys.flatMap((key) => [...(this.#naming.get(key) ?? [])]))].filter(
      (who) => who !== what,
    );
  }
}
