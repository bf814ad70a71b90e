import { deprecationOf, type FunctionDefinition } from "../../provider/core/functions/define";
import { formNames } from "./forms";
import { oneOfAt } from "./oneOf";
import { defaultOf, listed } from "./sentences";
import { membersOf, namedTypesIn, type Property, partsOf, upper } from "./shape";
import { interfaceText, memberText, type Side, typeText, wrapped, writtenText } from "./typescript";

/** A function for the generators: its names, arguments and result. */
export interface DescribedFunction {
  readonly definition: FunctionDefinition;
  readonly service: string;
  /** For example `getWorkspace`. */
  readonly name: string;
  /** For example `GetWorkspace`: the prefix of its types' names. */
  readonly typeName: string;
  readonly args: readonly Property[];
  readonly result: readonly Property[];
}

/** Describes a function. */
export function describeFunction(definition: FunctionDefinition): DescribedFunction {
  const { service, type: name } = partsOf(definition);
  const typeName = upper(name);
  return {
    definition,
    service,
    name,
    typeName,
    args: membersOf(definition.fields, { module: service, name: typeName }),
    result: membersOf(definition.result, { module: service, name: typeName }, true),
  };
}

/** Writes the SDK's file of a function. */
export function functionFile(described: DescribedFunction, header: string): string {
  const { definition, typeName, args, result } = described;
  const required = args.filter((property) => property.required).map(({ name }) => name);
  const filters = filtersIn(args);
  const kind = { token: definition.token, required, ...(filters.length > 0 && { filters }) };
  return [
    header,
    importsOf(described),
    `const kind: FunctionKind = ${JSON.stringify(kind)};\n`,
    ...formsOf(described),
    argumentTypes(described),
    `/** The result of \`${described.name}\`. */\nexport interface ${typeName}Result {\n${result
      .map((property) => memberText(property, "output", []))
      .join("")}}\n`,
    ...typesIn(described),
  ].join("\n");
}

/** The arguments that are filter expressions. */
function filtersIn(args: readonly Property[]): string[] {
  return args.filter(({ facts }) => facts.isFilter).map(({ name }) => name);
}

function importsOf({ definition, args }: DescribedFunction): string {
  const { kind } = definition.asks;
  const isOutput = kind !== "watch";
  const runtime = [
    ...(definition.isCredential ? ["type CallOptions", outputRuntime(definition)] : []),
    ...(isOutput && !definition.isCredential
      ? ["type AskOptions", "type CallOptions", "call", "callOutput"]
      : []),
    "type FunctionKind",
    ...(kind === "call" ? [] : ["type IterationOptions", "iterate"]),
  ];
  return [
    ...(isOutput ? ['import type * as pulumi from "@pulumi/pulumi";'] : []),
    ...(filtersIn(args).length > 0 ? ['import type { Expression } from "../filter";'] : []),
    `import { ${runtime.sort(byName).join(", ")} } from "../runtime/call";`,
    "",
  ].join("\n");
}

/** A function that always fails also fails in the preview. */
function outputRuntime({ isCredential, replaced }: FunctionDefinition): string {
  return isCredential && replaced === undefined ? "callForCredentials" : "callOutput";
}

function byName(a: string, b: string): number {
  return a.replace("type ", "").localeCompare(b.replace("type ", ""));
}

function formsOf(described: DescribedFunction): string[] {
  const { definition, name, typeName } = described;
  const { asks } = definition;
  const doc = docOf(definition);
  const oneOf = oneOfAt(definition);
  const optional = oneOf || described.args.some((property) => property.required) ? "" : "?";
  const [plainArgs, laterArgs] = [
    formNames(`${typeName}Args`, oneOf),
    formNames(`${typeName}OutputArgs`, oneOf),
  ];
  const output = (runtime: string, sentences: string) =>
    `${doc(sentences)}export function ${name}Output(args${optional}: ${laterArgs}, opts?: CallOptions): pulumi.Output<${typeName}Result> {\n  return ${runtime}(kind, args as pulumi.Inputs | undefined, opts);\n}\n`;
  const once = `${doc("")}export function ${name}(args${optional}: ${plainArgs}, opts?: AskOptions): Promise<${typeName}Result> {\n  return call(kind, args, opts);\n}\n`;
  const later =
    "Returns an output. It runs once its arguments are known; during a preview, the result may be unknown.";
  switch (asks.kind) {
    case "watch":
      return [
        `${doc("Ends when `opts.signal` is aborted.")}export function ${name}(args${optional}: ${plainArgs}, opts?: IterationOptions): AsyncGenerator<${typeName}Result, void, void> {\n  return iterate(kind, args, opts);\n}\n`,
      ];
    case "list":
      return [
        once,
        output("callOutput", later),
        `${doc("Yields the elements one by one and fetches each page when its first element is requested.")}export function ${asks.each}(args${optional}: ${plainArgs}, opts?: IterationOptions): AsyncGenerator<${elementText(described)}, void, void> {\n  return iterate(kind, args, opts);\n}\n`,
      ];
    default:
      if (definition.isCredential) {
        const sentences = definition.replaced ? "" : CREDENTIALS;
        return [output(outputRuntime(definition), sentences)];
      }
      return [once, output("callOutput", later)];
  }
}

const CREDENTIALS =
  "The result is always secret. A preview sends no request, and the result is unknown there.";

function docOf(definition: FunctionDefinition) {
  const why = deprecationOf(definition);
  return (sentences: string) => {
    const lines = [
      ...wrapped(`${definition.doc} ${sentences}`.trim()),
      ...(why === undefined ? [] : ["", ...wrapped(`@deprecated ${why}`)]),
    ];
    return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
  };
}

function elementText({ definition, result }: DescribedFunction): string {
  const { asks } = definition;
  const property = asks.kind === "list" ? result.find(({ name }) => name === asks.property) : undefined;
  if (property?.shape.kind !== "list") throw new TypeError(`${definition.token} has no list to yield from`);
  return typeText(property.shape.of, "output");
}

function argumentTypes({ definition, name, typeName, args }: DescribedFunction): string {
  const oneOf = oneOfAt(definition);
  const typeOf = (form: string, side: Side) =>
    writtenText(
      {
        name: `${typeName}${form}Args`,
        doc: `The arguments of \`${name}${form}\`${oneOf ? `, including ${listed(oneOf)}` : ""}.`,
        ...(oneOf && { oneOf }),
      },
      args,
      (property, isForm) => memberText(property, side, defaultSentences(property), isForm),
    );
  const [plain, later] = [typeOf("", "output"), typeOf("Output", "input")];
  if (definition.asks.kind === "watch") return plain;
  return definition.isCredential ? later : `${plain}\n${later}`;
}

function defaultSentences(property: Property): string[] {
  const value = defaultOf(property);
  return value === undefined ? [] : [`Default: \`${value}\`.`];
}

function typesIn({ name, result }: DescribedFunction): string[] {
  return result
    .flatMap(({ shape }) => namedTypesIn(shape).filter((named) => named.kind === "object"))
    .map((shape) => interfaceText(shape, "output", `A part of the result of \`${name}\`.`));
}
