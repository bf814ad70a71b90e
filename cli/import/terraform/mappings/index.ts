import { ownMember } from "../../../../provider/core/value/json";
import type { SourceObject } from "../source";
import type { Mapping, Mappings } from "./mapping";
import { mesh } from "./mesh";
import { scheduler } from "./scheduler";
import { secrets } from "./secrets";
import { workspaces } from "./workspaces";

/** Every Terraform type that has a counterpart in this package. */
export const mappings: Mappings = { ...workspaces, ...scheduler, ...secrets, ...mesh };

/** The mapping of a Terraform type; undefined if this package has no counterpart. */
export const mappingOf = (type: string): Mapping | undefined => ownMember(mappings, type);

/** The document of an object that the program reads as one secret; undefined if no part of the object is sensitive. */
export const secretDocumentOf = ({ type, sensitive }: SourceObject): Mapping["document"] =>
  sensitive.length > 0 ? mappingOf(type)?.document : undefined;
