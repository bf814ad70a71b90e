import { z } from "zod";
import { field } from "../../core";

/** The organization that contains the object: part of its identity. */
export const organizationField = field(z.string().min(1).optional(), {
  doc: "The name of the organization that it is in.",
  toWrite: "Default: the connection's.",
  role: "identity",
  location: "address",
});
