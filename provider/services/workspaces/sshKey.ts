import { z } from "zod";
import { commonFields, define, field, object, patches } from "../../core";
import { inOrganization } from "./inOrganization";
import { document } from "./jsonApi";
import { organizationField } from "./organization";
import { workspaces } from "./service";

const { where, reads, requests, creation, deletion } = inOrganization({
  collection: "ssh-keys",
  part: "sshKeyId",
  noun: "SSH key",
  // Without page parameters, the server returns the complete list.
  pages: { by: "whole" },
  apart: "the server never returns the key, so it cannot be compared; create a new key instead",
});

// An adoption could neither compare the key, nor write it on every server.
const { adopt: _, ...withoutAdoption } = commonFields;

/** An SSH key of an organization (HCP Terraform API: SSH keys). */
export default define({
  token: "workspaces:SshKey",
  product: {
    noun: "SSH key",
    terraform: "`tfe_ssh_key`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/ssh-keys",
  },
  doc: "SSH key of an HCP Terraform organization, with which workspaces fetch modules from Git servers. The server never returns the key itself, so changes by others are not detected.",
  section: "API: SSH keys",
  service: workspaces,
  fields: {
    ...withoutAdoption,
    organization: organizationField,
    name: field(z.string().min(1), {
      doc: "Name of the SSH key, unique in its organization.",
    }),
    value: field(z.string().min(1), {
      doc: "Private key, in PEM or OpenSSH format.",
      secret: true,
      writeOnly: "when-changed",
      immutable: true,
    }),
    sshKeyId: field(z.string().optional(), {
      doc: "ID of the SSH key (`sshkey-…`), for `sshKeyId` of a workspace.",
      role: "server's",
      wire: "id",
    }),
  },
  where,
  life: object({
    reads,
    writes: patches({ ...requests, envelope: document("ssh-keys"), returns: "object" }),
    creation,
    deletion,
  }),
});
