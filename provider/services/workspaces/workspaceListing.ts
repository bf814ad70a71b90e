import { z } from "zod";
import { field, get, type Json, type Listing, wordIn } from "../../core";
import { workspaces } from "./service";
import { documentsIn } from "./workspaceGone";

const tagList = (doc: string) => field(z.array(z.string().min(1)).optional(), { doc, role: "steering" });

/** Lists the workspaces of an organization, page by page (specification: List workspaces). */
export const workspaceListing = {
  route: get("/organizations/{organization}/workspaces"),
  holds: "whole",
  pages: { by: "number" },
  narrowing: {
    search: field(z.string().optional(), { doc: "Text to search for in workspace names.", role: "steering" }),
    tags: tagList("Only workspaces with all of these tags."),
    excludeTags: tagList("Only workspaces with none of these tags."),
  },
  query: ({ search, tags, excludeTags }) => ({
    "search[name]": text(search),
    "search[tags]": commaJoin(tags),
    "search[exclude_tags]": commaJoin(excludeTags),
  }),
  items: (page) => documentsIn(page).map((data) => workspaces.open({ data })),
  carries: {
    key: ({ workspaceId }) => workspaceId,
    answers: (page) => documentsIn(page).map((data) => [wordIn(data.id), { data }] as const),
  },
} as const satisfies Listing;

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function commaJoin(value: Json | undefined): string | undefined {
  return Array.isArray(value) && value.length > 0 ? value.join(",") : undefined;
}
