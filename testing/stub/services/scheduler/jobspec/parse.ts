import { isObject, type JsonValue, ownOf } from "../../../json";
import { parseBody } from "../hcl/body";
import { evaluate, type Scope } from "../hcl/evaluate";
import { HclError } from "../hcl/source";
import type { Block, Body } from "../hcl/syntax";
import { jobBlock } from "./job";
import { readBlock } from "./read";

type Document = Readonly<Record<string, JsonValue>>;

export interface JobText {
  readonly text: string;
  /** In the format of a variables file. */
  readonly variables: string;
}

/** Parses a specification into the job of a registration's body. Throws an {@link HclError}. */
export function parseJob({ text, variables }: JobText): Document {
  const body = parseBody(text);
  const scope = withLocals(body, { var: variablesOf(body, variables) });
  const foreign = [...body.attributes, ...body.blocks.filter(({ type }) => !TOP_LEVEL.has(type))][0];
  if (foreign !== undefined) {
    const name = "type" in foreign ? foreign.type : foreign.name;
    throw new HclError(
      "Unsupported block type",
      `Blocks of type "${name}" are not expected here.`,
      foreign.at,
    );
  }
  const [block, second] = body.blocks.filter(({ type }) => type === "job");
  if (block === undefined) throw new HclError("Missing job block", "A job block is required.", 0);
  if (second !== undefined)
    throw new HclError("Duplicate job block", "Only one job block is allowed.", second.at);
  return jobOf(block, scope);
}

const TOP_LEVEL = new Set(["job", "variable", "locals"]);

function jobOf(block: Block, scope: Scope): Document {
  const [id] = block.labels;
  if (id === undefined) {
    throw new HclError("Missing name for job", "All job blocks must have 1 labels (name).", block.at);
  }
  const { Tasks: tasks, SecretBlocks: secrets, ...read } = readBlock(block.body, jobBlock, scope);
  const named = { ID: id, Name: id, ...read };
  const others = listIn(read.TaskGroups).map(handingDownSecrets);
  // A task directly inside the job becomes a group of the same name.
  const groups = [
    ...others,
    ...listIn(tasks).map((task) => ({ Name: nameOf(task), Count: 1, Tasks: [task] })),
  ];
  if (groups.length === 0) return named;
  return { ...named, TaskGroups: groups.map((group) => withSecrets(group, listIn(secrets))) };
}

/**
 * Copies a group's `secret` blocks to those of its tasks that have none. A task with its own blocks gets its own blocks
 * twice, and validation then rejects it (Nomad 2.0.5, the decoding of a group).
 */
function handingDownSecrets(group: JsonValue): Document {
  const { SecretBlocks: blocks, ...rest } = documentOf(group);
  if (!Array.isArray(blocks)) return rest;
  return withTasks(rest, (task) => {
    const own = listIn(task.SecretBlocks);
    return { ...task, SecretBlocks: own.length === 0 ? blocks : [...own, ...own] };
  });
}

/** Appends a job's `secret` blocks to those of each task. */
function withSecrets(group: Document, blocks: readonly JsonValue[]): Document {
  if (blocks.length === 0) return group;
  return withTasks(group, (task) => ({ ...task, SecretBlocks: [...listIn(task.SecretBlocks), ...blocks] }));
}

function withTasks(group: Document, change: (task: Document) => Document): Document {
  return { ...group, Tasks: listIn(group.Tasks).map((task) => change(documentOf(task))) };
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function documentOf(value: JsonValue): Document {
  // The members of a JSON object are JSON values.
  return isObject(value) ? (value as Document) : {};
}

function nameOf(task: JsonValue): JsonValue {
  return typeof task === "object" && task !== null && "Name" in task ? task.Name : "";
}

/** The values of the declared variables: given or default; throws if a variable has neither. */
function variablesOf(body: Body, text: string): Document {
  const given = parseVariables(text);
  const declared = body.blocks.filter(({ type }) => type === "variable");
  const unknown = Object.keys(given).find((name) => !declared.some(({ labels }) => labels[0] === name));
  if (unknown !== undefined) {
    throw new HclError("Undefined variable", `A "${unknown}" variable was set but was not declared.`, 0);
  }
  return Object.fromEntries(
    declared.map((block) => {
      const name = block.labels[0] ?? "";
      const fallback = block.body.attributes.find((attribute) => attribute.name === "default");
      const value = ownOf(given, name) ?? (fallback === undefined ? undefined : evaluate(fallback.value, {}));
      if (value === undefined) {
        const detail = `A used variable must be set or have a default value; see the documentation for syntax: "${name}".`;
        throw new HclError("Unset variable", detail, block.at);
      }
      const required = lacksType(block, value);
      if (required !== undefined) {
        const detail = `The value for ${name} is not compatible with the variable's type constraint: ${required} required.`;
        throw new HclError("Invalid value for variable", detail, 0);
      }
      return [name, value];
    }),
  );
}

/** The collection type that the variable declares, if the value is not of that type; scalars are converted. */
function lacksType({ body }: Block, value: JsonValue): string | undefined {
  const type = body.attributes.find(({ name }) => name === "type")?.value;
  if (type?.kind !== "call") return undefined;
  const isList = ["list", "set", "tuple"].includes(type.name);
  const isFit = isList ? Array.isArray(value) : isObject(value);
  const [of] = type.args;
  return isFit ? undefined : of?.kind === "variable" ? `${type.name} of ${of.name}` : type.name;
}

function parseVariables(text: string): Document {
  const body = parseBody(text);
  const block = body.blocks[0];
  if (block !== undefined) {
    throw new HclError("Unexpected block", "Blocks are not allowed among variables.", 0);
  }
  return Object.fromEntries(body.attributes.map(({ name, value }) => [name, evaluate(value, {})]));
}

/** Locals may refer to variables and to one another, in any order. */
function withLocals(body: Body, scope: Scope): Scope {
  const waiting = body.blocks
    .filter(({ type }) => type === "locals")
    .flatMap(({ body: { attributes } }) => attributes);
  let local: Document = {};
  let left = waiting;
  while (left.length > 0) {
    const failed: typeof left = [];
    let reason: HclError | undefined;
    for (const attribute of left) {
      try {
        local = { ...local, [attribute.name]: evaluate(attribute.value, { ...scope, local }) };
      } catch (error) {
        if (!(error instanceof HclError)) throw error;
        failed.push(attribute);
        reason = error;
      }
    }
    if (failed.length === left.length && reason !== undefined) throw reason;
    left = failed;
  }
  return { ...scope, local };
}
