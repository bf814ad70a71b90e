import { Redactor, type Secret } from "../../../packages/redact";
import { documentFactsIn } from "../diff/forms";
import { writtenPath } from "../diff/project";
import { type Field, fieldNamed, fieldsOf, type Specified } from "../language/fields";
import { parsedTextOf } from "../language/serviceText";
import { sourceIn } from "../value/fingerprint";
import type { Json } from "../value/json";
import { formatPath, isWithinPath, KEY, lookUp, type Path } from "../value/path";
import { isMarked, metadataOf, withMetadata } from "../value/programInputs";
import { isEmpty } from "../value/scalar";
import type { Inputs } from "../value/unknown";
import { RECORDS } from "./records";
import { SecretCopies } from "./secretCopies";
import {
  holdsSecretFact,
  isKeyLikeMarked,
  isLikeMarked,
  isSecretFact,
  isWithinSecretFact,
} from "./secretFacts";

/** Shorter leaves of a document that is secret as a unit are words of its language, and are not masked. */
const SHORTEST_LEAF = 8;

/**
 * The secrets of a resource, or of a function call: their paths, by the facts of the definition and the marks of the
 * program, and their values.
 */
export class SecretMap {
  /** The paths that the program marked. */
  readonly #marks: readonly string[];
  #copies: SecretCopies | undefined;

  constructor(
    private readonly definition: Specified,
    private readonly inputs: Inputs = {},
    private readonly redactor = new Redactor(),
  ) {
    this.#marks = metadataOf(inputs).secretPaths;
  }

  /** True if a path contains a secret: by the definition, or because the program marked the path, a parent or a part of it. */
  isSecret(path: Path): boolean {
    const own = writtenPath(this.definition, this.inputs, path);
    const text = formatPath(own);
    return (
      this.isWithinSecret(path) ||
      isMarked(this.inputs, own) ||
      (path[0] === this.definition.serviceText?.property && this.#isTextMarked()) ||
      this.#marks.some((marked) => isWithinPath(marked, text)) ||
      isLikeMarked(this.#marks, own)
    );
  }

  /** True if the complete value at a path is a secret. */
  isWithinSecret(path: Path): boolean {
    return isWithinSecretFact(fieldNamed(this.definition, path[0]), path) || isMarked(this.inputs, path);
  }

  /** True if the key at the end of a path, which identifies an element of a list, or the complete element is a secret. */
  isSecretKey(path: Path): boolean {
    const list = path.slice(0, -1);
    const written = (own: Path) => writtenPath(this.definition, this.inputs, own);
    const keyedBy = documentFactsIn(this.definition, path[0])?.keyedBy;
    const members = lookUp(keyedBy, list.slice(1))?.map((member) => written([...path, member]));
    return this.isWithinSecret(list) || isKeyLikeMarked(this.#marks, written(path), members);
  }

  /**
   * True if the complete value at a path must be stored encrypted. This applies to secrets, the records, and the text of a
   * document that contains a secret.
   */
  holdsSecret(path: Path, value: unknown): boolean {
    if (path.length === 1 && path[0] === RECORDS) return true;
    if (isEmpty(value)) return false;
    if (this.isWithinSecret(path)) return true;
    const field = path.length === 1 && fieldNamed(this.definition, path[0]);
    if (!field || typeof value !== "string") return false;
    const { serviceText } = this.definition;
    // A refresh writes the parsed document in place of the text.
    const isParsed = serviceText?.property === field.name && serviceText.plain(value) !== undefined;
    if (isParsed && this.#isTextMarked()) return true;
    if (field.facts.document?.secret === undefined) return false;
    if ((field.facts.secretsIn?.(value) ?? []).length > 0) return true;
    return holdsSecretFact(field, [field.name], this.documentIn(field, value));
  }

  /** True if a value is or contains a secret from a different path. */
  isCopy(value: unknown): boolean {
    return this.#known.isIn(value);
  }

  /** A path up to the first map that is secret as a unit or has a known secret as a name. The names in that map are not shown. */
  shownPath(path: Path): Path {
    const end = path.findIndex((segment, at) => {
      if (at === 0 || typeof segment === "number") return false;
      const map = path.slice(0, at);
      return (
        this.#known.isScalar(segment.startsWith(KEY) ? segment.slice(KEY.length) : segment) ||
        this.isWithinSecret(map) ||
        this.isWithinSecret(writtenPath(this.definition, this.inputs, map))
      );
    });
    return end < 0 ? path : path.slice(0, end);
  }

  mask(text: string): string {
    return this.redactor.mask(text);
  }

  /** Every secret string and number in these values. */
  collect(values: Readonly<Record<string, unknown>> = this.inputs): Secret[] {
    const secrets: Secret[] = [];
    // All visits share one path array, because a document may have a hundred thousand members.
    const path: (string | number)[] = [];
    const visit = (segment: string | number, value: unknown, isAbove: boolean, isWhole: boolean) => {
      path.push(segment);
      const field = fieldNamed(this.definition, path[0]);
      const isSecret = isAbove || isSecretFact(field, path) || isMarked(this.inputs, path);
      if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
        if (isSecret && !(isWhole && String(value).length < SHORTEST_LEAF)) {
          // A secret field may declare which of its parts are secret. The rest of its value may be shown.
          const facts = path.length === 1 ? field?.facts : undefined;
          const parts = facts?.secret === true ? facts.secretsIn?.(String(value)) : undefined;
          secrets.push(...(parts ?? [value]));
        }
      } else if (Array.isArray(value)) {
        for (const [index, element] of value.entries()) visit(index, element, isSecret, isWhole);
      } else if (typeof value === "object" && value !== null && !isSource(field, path, value)) {
        const isFact = path.length === 1 && field?.facts.secret === true;
        const isUnit = field?.facts.document !== undefined && (isFact || isMarked(this.inputs, path));
        for (const name in value)
          visit(name, (value as Record<string, unknown>)[name], isSecret, isWhole || isUnit);
      }
      path.pop();
    };
    for (const [name, value] of Object.entries(values)) visit(name, value, false, false);
    for (const field of fieldsOf(this.definition)) {
      const value = values[field.name];
      if (typeof value !== "string" || field.facts.document?.secret === undefined) continue;
      secrets.push(...(field.facts.secretsIn?.(value) ?? []));
      visit(field.name, this.documentIn(field, value, values), false, false);
    }
    return secrets;
  }

  /** The document in a text, if this package can parse the text or its service has parsed it. */
  documentIn(
    field: Field,
    text: string,
    values: Readonly<Record<string, unknown>> = this.inputs,
  ): Json | undefined {
    const { serviceText } = this.definition;
    // Values are JSON, apart from unknown values.
    const own = withMetadata({ ...values, [field.name]: text } as Inputs, metadataOf(this.inputs));
    const read = serviceText?.property === field.name ? parsedTextOf(serviceText, own) : text;
    return read === undefined ? undefined : field.facts.spelling?.canonical(read);
  }

  get #known(): SecretCopies {
    this.#copies ??= new SecretCopies(this.redactor.knownSecrets());
    return this.#copies;
  }

  /**
   * True if the program marked its text, or an input that the text is parsed with. The complete parsed document is then
   * secret.
   */
  #isTextMarked(): boolean {
    const { serviceText } = this.definition;
    const names = serviceText === undefined ? [] : [serviceText.property, ...serviceText.with];
    return this.#marks.some((marked) => names.some((name) => isWithinPath(marked, name)));
  }
}

/** True if a program gives a secret's source instead of the secret. Anyone may read the source. */
function isSource(field: Field | undefined, path: Path, value: object): boolean {
  return sourceIn(value) !== undefined && isWithinSecretFact(field, path);
}
