import { field, type Place, place } from "../../core";
import { mountPath } from "./mounts";
import { genericName } from "./names";
import { inNamespace } from "./namespaces";

/** The input for the path of an auth method: part of the object's identity. */
export function authMountField(noun: string, usual: string) {
  return field(mountPath().optional(), {
    doc: `The path of the ${noun} auth method, such as \`${usual}\` or \`teams/web/${usual}\`, without the leading \`auth/\`.`,
    toWrite: `Default: \`${usual}\`.`,
    role: "identity",
    location: "address",
  });
}

/** The address of an object of an auth method. The server stores its name in lower case. */
export function placeOfAuth(usual: string, name: string): Place {
  return place(inNamespace(`{authMount}/{${name}}`), {
    defaults: { authMount: { valueFor: () => usual } },
    names: { [name]: { ...genericName, stored: (text) => text.toLowerCase() } },
  });
}
