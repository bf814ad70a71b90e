/**
 * An example or generated program, independent of the language: settings, resources, function calls and stack outputs.
 * Properties have the names of the schema.
 */
export interface Program {
  readonly statements: readonly Statement[];
  /** Components that group resources. Only programs in TypeScript contain them. */
  readonly components?: readonly Component[];
}

/** A component without inputs and outputs. */
export interface Component {
  /** The type in the engine, `terraform:modules:Net`. */
  readonly type: string;
  readonly label: string;
  readonly variable: string;
  /** The variable of the component that contains it. */
  readonly parent?: string;
}

export type Statement = (ResourceStatement | CallStatement | OutputStatement) & {
  /** The comment above the statement, one line per element. */
  readonly comment: readonly string[];
};

/** A resource. */
export interface ResourceStatement {
  readonly kind: "resource";
  /** For example `scheduler:Job`. */
  readonly token: string;
  /** The resource's name in the engine. */
  readonly label: string;
  /** The variable's name, if another statement refers to the resource. */
  readonly variable: string | undefined;
  readonly args: Members;
  /** The variables of the resources that must exist first. */
  readonly dependsOn: readonly string[];
  /** The variable of the component that contains it. */
  readonly parent?: string;
}

/** A function call and the variable for its result. */
export interface CallStatement {
  readonly kind: "call";
  readonly token: string;
  readonly variable: string;
  readonly args: Members;
}

/** An output of the stack. */
export interface OutputStatement {
  readonly kind: "output";
  readonly name: string;
  readonly value: Reference;
}

export type Members = Readonly<Record<string, ProgramValue>>;

export type ProgramValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "boolean"; readonly boolean: boolean }
  /** In a JSON document only. */
  | { readonly kind: "null" }
  | { readonly kind: "list"; readonly elements: readonly ProgramValue[] }
  | { readonly kind: "object"; readonly members: Members }
  | Setting
  | Reference;

/** A value from the stack's configuration. */
export interface Setting {
  readonly kind: "setting";
  readonly name: string;
  readonly isSecret: boolean;
  readonly type: "text" | "texts" | "map";
}

/** An output of a resource, or a property of a function's result. */
export interface Reference {
  readonly kind: "reference";
  readonly variable: string;
  readonly property: string;
  /** True if a missing list is replaced with an empty list. */
  readonly orEmpty: boolean;
}

/** The variables that a program refers to, without duplicates. */
export function referencedVariables({ statements }: Program): ReadonlySet<string> {
  return new Set(
    statements.flatMap((statement) => {
      if (statement.kind === "output") return [statement.value.variable];
      const own = Object.values(statement.args).flatMap(valuesIn);
      const variables = own.flatMap((value) => (value.kind === "reference" ? [value.variable] : []));
      return statement.kind === "resource" ? [...variables, ...statement.dependsOn] : variables;
    }),
  );
}

/** The settings that a program reads, without duplicates, in the order of their use. */
export function settingsOf({ statements }: Program): Setting[] {
  const all = statements
    .flatMap((statement) => (statement.kind === "output" ? [] : Object.values(statement.args)))
    .flatMap(valuesIn)
    .flatMap((value) => (value.kind === "setting" ? [value] : []));
  return [...new Map(all.map((setting) => [setting.name, setting])).values()];
}

/** A value, and all values inside it. */
function valuesIn(value: ProgramValue): ProgramValue[] {
  switch (value.kind) {
    case "list":
      return [value, ...value.elements.flatMap(valuesIn)];
    case "object":
      return [value, ...Object.values(value.members).flatMap(valuesIn)];
    default:
      return [value];
  }
}
