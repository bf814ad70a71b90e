import { isObject, type Json, metadataOf, parsePath, type Values } from "../../core";
import { jobText, variablesText } from "./jobText";
import { neutral } from "./service";

/**
 * The program's own text, for people who inspect the job later (specification: Job submission). Undefined if the program
 * gives no text or sets `submission: false`.
 */
export function submissionOf(inputs: Values): Json | undefined {
  const { json, hcl, hclv1, submission } = inputs;
  if (submission === false) return undefined;
  if (typeof json === "string") return { Source: json, Format: "json" };
  if (typeof hcl !== "string") return undefined;
  if (jobText(neutral).plain(hcl) !== undefined) return { Source: hcl, Format: "json" };
  const variables = openVariables(inputs);
  return {
    Source: hcl,
    Format: hclv1 === true ? "hcl1" : "hcl2",
    ...(variables !== undefined && { Variables: variablesText(variables) }),
  };
}

/**
 * The variables that the program does not mark as secret, because anyone who may read the job may read its submission. A
 * marked text is omitted, because any variable in it may be the secret.
 */
function openVariables(inputs: Values): Json | undefined {
  const { variables } = inputs;
  const marked = metadataOf(inputs)
    .secretPaths.map(parsePath)
    .filter(([property]) => property === "variables" || property === "*");
  if (marked.some((path) => path.length < 2 || path[1] === "*")) return undefined;
  if (!isObject(variables)) return variables;
  const hidden = new Set(marked.map(([, name]) => String(name)));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !hidden.has(name)));
}
