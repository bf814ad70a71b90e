import type { Json } from "../../../core/value/json";
import { isKnownFunction, misuse, shortestResult } from "./functions";
import { type Action, actionsIn, type Operand } from "./syntax";
import { TemplateSyntaxError } from "./tokens";

/** Where a template is used, and so what it can refer to (specification: A6, Templates). */
export interface TemplateContext {
  /** The fields that it can refer to; unset where the specification does not list them. */
  readonly fields?: readonly string[];
  /** LDIF has functions that other templates have not. */
  readonly isLdif?: boolean;
}

/** What is known of a template before the service renders it. */
export interface TemplateReading {
  /** What the service would refuse. */
  readonly problem?: string;
  /** What may be wrong: functions that the specification does not name. */
  readonly doubts: readonly string[];
  /** The fewest characters that it can render to. */
  readonly shortest: number;
}

/** The user names of the directory engine's dynamic roles. */
export const usernameContext: TemplateContext = { fields: ["RoleName", "DisplayName"] };

/** The LDIF of the directory engine's dynamic roles. */
export const ldifContext: TemplateContext = {
  isLdif: true,
  fields: [
    "Username",
    "Password",
    "RoleName",
    "DisplayName",
    "IssueTime",
    "IssueTimeSeconds",
    "ExpirationTime",
    "ExpirationTimeSeconds",
  ],
};

/** Reads a template as far as it can be told without rendering it. */
export function readTemplate(text: string, context: TemplateContext): TemplateReading {
  const named = /\{\{-?\s*(define|template|block)\b/.exec(text)?.[1];
  if (named !== undefined) return { doubts: [`${named} is not looked into here`], shortest: 0 };
  try {
    const actions = actionsIn(text);
    const operands = actions.flatMap(({ pipelines }) => pipelines.flatMap(everyOperand));
    const problem = operands
      .map((operand) => problemOf(operand, context))
      .find((found) => found !== undefined);
    const unknown = operands.flatMap(({ kind, name }) =>
      kind === "call" && !isKnownFunction(name) ? [name] : [],
    );
    const doubts = [...new Set(unknown)].map(
      (name) => `the function ${name} is none that the specification names`,
    );
    return { ...(problem !== undefined && { problem }), doubts, shortest: shortestOf(actions) };
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return { problem: error.message, doubts: [], shortest: 0 };
  }
}

/** What a rule says of a template. */
export function templateProblem(value: Json | undefined, context: TemplateContext): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const { problem } = readTemplate(value, context);
  return problem === undefined ? undefined : `is a template that the service refuses: ${problem}`;
}

/** What a preview says of a template beside its errors. */
export function templateDoubts(name: string, value: unknown, context: TemplateContext): string[] {
  if (typeof value !== "string") return [];
  return readTemplate(value, context).doubts.map((doubt) => `${name}: ${doubt}`);
}

function everyOperand(operand: Operand): Operand[] {
  return [operand, ...operand.inner.flatMap(everyOperand)];
}

function problemOf(operand: Operand, { fields, isLdif = false }: TemplateContext): string | undefined {
  if (operand.kind === "field") {
    if (fields === undefined || fields.includes(operand.name)) return undefined;
    return `there is no field .${operand.name} here; known: ${fields.map((name) => `.${name}`).join(", ")}`;
  }
  return operand.kind === "call" ? misuse(operand, isLdif) : undefined;
}

/** The fewest characters of a sequence of actions and the text between them. */
function shortestOf(actions: readonly Action[]): number {
  return actions.reduce((sum, action) => sum + shortestAction(action), 0);
}

function shortestAction({ kind, text, pipelines, branches }: Action): number {
  if (kind === "text") return text.length;
  if (kind === "value") return pipelines.reduce((sum, pipeline) => sum + shortestResult(pipeline), 0);
  return kind === "choice" ? Math.min(...branches.map(shortestOf)) : 0;
}
