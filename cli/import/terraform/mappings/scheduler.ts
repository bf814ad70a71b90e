import { type Mappings, oneResource, textOf } from "./mapping";

const volume = (token: string) =>
  oneResource(
    token,
    { namespace: "namespace", volumeId: "id" },
    { importId: (attributes) => `${textOf(attributes.id)}@${textOf(attributes.namespace) ?? "default"}` },
  );

/** Types of terraform-provider-nomad 2. */
export const scheduler: Mappings = {
  nomad_job: oneResource(
    "scheduler:Job",
    { region: "region", namespace: "namespace", jobId: "id" },
    {
      document: { property: "json", shownBy: "nomad job inspect" },
      note: "the program contains the job in `json`; to keep the jobspec file, set `hcl` instead",
      importId: (attributes) => `${textOf(attributes.id)}@${textOf(attributes.namespace) ?? "default"}`,
    },
  ),
  nomad_namespace: oneResource("scheduler:Namespace", { name: "name" }),
  nomad_node_pool: oneResource("scheduler:NodePool", { name: "name" }),
  // The provider's import fails: it reads an empty path.
  nomad_variable: oneResource(
    "scheduler:Variable",
    { namespace: "namespace", path: "path" },
    { importId: "none" },
  ),
  nomad_acl_policy: oneResource("scheduler:AclPolicy", { name: "name" }),
  nomad_acl_role: oneResource("scheduler:AclRole", { roleId: "id" }),
  nomad_acl_token: oneResource("scheduler:AclToken", { accessorId: "id" }),
  nomad_dynamic_host_volume: volume("scheduler:HostVolume"),
  nomad_dynamic_host_volume_registration: volume("scheduler:HostVolumeRegistration"),
};
