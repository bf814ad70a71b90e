/**
 * A program of the reference, as far as every language can say it: settings, resources, what is asked, and what the stack
 * shows of them. Properties have the names of the schema.
 */
export interface Program {
  readonly statements: readonly Statement[];
}

export type Statement = (Made | Asked | Shown) & {
  /** What stands above it, a line each. */
  readonly comment: readonly string[];
};

/** A resource. */
export interface Made {
  readonly kind: "resource";
  /** `scheduler:Job`. */
  readonly token: string;
  /** What the engine calls it. */
  readonly label: string;
  /** What the program calls it, where anything else refers to it. */
  readonly variable: string | undefined;
  readonly args: Members;
  /** The variables of what has to be there first. */
  readonly dependsOn: readonly string[];
}

/** A function's answer. */
export interface Asked {
  readonly kind: "call";
  readonly token: string;
  readonly variable: string;
  readonly args: Members;
}

/** An output of the stack. */
export interface Shown {
  readonly kind: "output";
  readonly name: string;
  readonly value: Reference;
}

export type Members = Readonly<Record<string, Value>>;

export type Value =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "boolean"; readonly boolean: boolean }
  | { readonly kind: "list"; readonly elements: readonly Value[] }
  | { readonly kind: "object"; readonly members: Members }
  | Setting
  | Reference;

/** What the stack's configuration says. */
export interface Setting {
  readonly kind: "setting";
  readonly name: string;
  readonly isSecret: boolean;
  readonly type: "text" | "texts";
}

/** An output of a resource, or a part of a function's answer. */
export interface Reference {
  readonly kind: "reference";
  readonly variable: string;
  readonly property: string;
  /** A list that may be missing is taken as an empty one. */
  readonly orEmpty: boolean;
}

/** What a program refers to, each once. */
export function referredTo({ statements }: Program): ReadonlySet<string> {
  return new Set(
    statements.flatMap((statement) => {
      if (statement.kind === "output") return [statement.value.variable];
      const own = Object.values(statement.args).flatMap(valuesIn);
      const variables = own.flatMap((value) => (value.kind === "reference" ? [value.variable] : []));
      return statement.kind === "resource" ? [...variables, ...statement.dependsOn] : variables;
    }),
  );
}

/** The settings that a program reads, each once, in the order in which it does. */
export function settingsOf({ statements }: Program): Setting[] {
  const all = statements
    .flatMap((statement) => (statement.kind === "output" ? [] : Object.values(statement.args)))
    .flatMap(valuesIn)
    .flatMap((value) => (value.kind === "setting" ? [value] : []));
  return [...new Map(all.map((setting) => [setting.name, setting])).values()];
}

/** A value, and everything inside it. */
function valuesIn(value: Value): Value[] {
  switch (value.kind) {
    case "list":
      return [value, ...value.elements.flatMap(valuesIn)];
    case "object":
      return [value, ...Object.values(value.members).flatMap(valuesIn)];
    default:
      return [value];
  }
}
