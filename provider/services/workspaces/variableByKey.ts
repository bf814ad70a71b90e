import { type Body, get, type Json } from "../../core";
import { document } from "./jsonApi";
import { searchInList } from "./listSearch";

/** The collection of a workspace's variables. */
export const WORKSPACE_VARIABLES = "/workspaces/{workspaceId}/vars";

/** Finds a variable before it has an ID: its collection contains each key at most once in each category. */
export const byKey = (all: string) =>
  searchInList(
    { route: get(all), part: "variableId" },
    (item, { key, category }) => item.key === key && item.category === category,
  );

/** The server has one attribute for both kinds of values. */
export function asVariable({ "sensitive-value": secret, ...members }: Body): Json {
  return document("vars")(secret === undefined ? members : { ...members, value: secret });
}
