import type { Switches } from "./settings";
import type { Workspace, World } from "./world";

/**
 * Filters and sorts the readable workspaces for "List workspaces": `search[name]`, `search[tags]`, `search[exclude_tags]`,
 * `filter[project][id]`, `filter[tagged][…]`, `sort`.
 */
export function selectWorkspaces(
  workspaces: readonly Workspace[],
  query: URLSearchParams,
  world: World,
  switches: Switches,
): readonly Workspace[] {
  const name = query.get("search[name]")?.toLowerCase() ?? "";
  const wanted = commaList(query.get("search[tags]"));
  const unwanted = commaList(
    query.get(switches.dialect === "neutral" ? "search[exclude_tags]" : "search[exclude-tags]"),
  );
  const project = query.get("filter[project][id]");
  const bindings = taggedFilters(query);
  const tagNames = (workspace: Workspace) => workspace.tags.map((id) => world.tags.get(id)?.name ?? "");
  return workspaces
    .filter((workspace) => workspace.name.toLowerCase().includes(name))
    .filter((workspace) => wanted.every((tag) => tagNames(workspace).includes(tag)))
    .filter((workspace) => !unwanted.some((tag) => tagNames(workspace).includes(tag)))
    .filter((workspace) => project === null || workspace.project === project)
    .filter((workspace) => bindings.every((filter) => workspace.tagBindings.some(filter)))
    .sort(order(query.get("sort") ?? "name"));
}

type Compare = (left: Workspace, right: Workspace) => number;

function order(sort: string): Compare {
  const descending = sort.startsWith("-");
  const compare = COMPARES[descending ? sort.slice(1) : sort] ?? byName;
  return descending ? (left, right) => compare(right, left) : compare;
}

const byName: Compare = (left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0);

const byLatestRun: Compare = (left, right) =>
  (left.currentRun?.createdAt ?? 0) - (right.currentRun?.createdAt ?? 0) || byName(left, right);

const byLatestChange: Compare = (left, right) =>
  (left.currentRun?.createdAt ?? left.createdAt) - (right.currentRun?.createdAt ?? right.createdAt) ||
  byName(left, right);

const COMPARES: Readonly<Record<string, Compare>> = {
  name: byName,
  "current-run.created-at": byLatestRun,
  "latest-change-at": byLatestChange,
};

type BindingFilter = (binding: { readonly key: string; readonly value: string }) => boolean;

/** `filter[tagged][0][key]=env&filter[tagged][0][value]=prod`; the value is optional. */
function taggedFilters(query: URLSearchParams): readonly BindingFilter[] {
  return [...query].flatMap(([name, key]) => {
    const index = /^filter\[tagged\]\[(\d+)\]\[key\]$/.exec(name)?.[1];
    if (index === undefined) return [];
    const value = query.get(`filter[tagged][${index}][value]`);
    return (binding) => binding.key === key && (value === null || binding.value === value);
  });
}

function commaList(text: string | null): readonly string[] {
  return (text ?? "")
    .split(",")
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== "");
}
