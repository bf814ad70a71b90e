import { z } from "zod";
import { field, get, type Json, type Listing, stringIn } from "../../core";
import { workspaces } from "./service";
import { documentsIn } from "./workspaceGone";

const tagList = (doc: string) => field(z.array(z.string().min(1)).optional(), { doc, role: "steering" });

/** Lists the workspaces of an organization, page by page (specification: List workspaces). */
export const workspaceListing = {
  route: get("/organizations/{organization}/workspaces"),
  itemContent: "whole",
  pages: { by: "number" },
  filters: {
    search: field(z.string().optional(), { doc: "Text to search for in workspace names.", role: "steering" }),
    tags: tagList("Only workspaces with all of these tags."),
    excludeTags: tagList("Only workspaces with none of these tags."),
  },
  query: ({ search, tags, excludeTags }) => ({
    "search[name]": text(search),
    "search[tags]": commaJoin(tags),
    "search[exclude_tags]": commaJoin(excludeTags),
  }),
  items: (page) => documentsIn(page).map((data) => workspaces.unwrap({ data })),
  refreshData: {
    key: ({ workspaceId }) => workspaceId,
    responses: (page) => documentsIn(page).map((data) => [stringIn(data.id), { data }] as const),
  },
} as const satisfies Listing;

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function commaJoin(value: Json | undefined): string | undefined {
  return Array.isArray(value) && value.length > 0 ? value.join(",") : undefined;
}
