import { z } from "zod";
import { field } from "../../core";

/** The organization that contains the object: part of its identity. */
export const organizationField = field(z.string().min(1).optional(), {
  doc: "Name of the organization.",
  toWrite: "Default: the connection's organization.",
  role: "identity",
  location: "address",
});
