import { z } from "zod";
import { functionResult, get, listFunction, shownFields } from "../../core";
import { workspaceIdField } from "./ofWorkspace";
import { workspaces } from "./service";
import variable from "./variable";
import { WORKSPACE_VARIABLES } from "./variableByKey";
import { documentsIn } from "./workspaceGone";

/** Lists the variables of a workspace. */
export const getVariables = listFunction({
  token: "workspaces:getVariables",
  doc: "Lists the variables of a workspace. The server never returns the value of a sensitive variable. The list does not contain the variables of variable sets.",
  section: variable.section,
  service: workspaces,
  fields: { workspaceId: workspaceIdField },
  property: "variables",
  each: "eachVariable",
  element: z.object(shownFields(variable)),
  route: get(WORKSPACE_VARIABLES),
  // The server returns all variables of a workspace at once. Other servers may have pages.
  pages: { by: "number" },
  elements: (page, _, { workspaceId }) =>
    documentsIn(page).map((data) => {
      const { value, ...body } = workspaces.unwrap({ data });
      // OTF returns an empty text as the value of a sensitive variable.
      const shown = body.sensitive === true || value === undefined ? body : { ...body, value };
      return functionResult(variable, shown, { workspaceId: String(workspaceId) });
    }),
});
